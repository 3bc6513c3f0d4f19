# Types for trees.py, which stays plain Python: Cython reads this file beside it.
cimport cython

cdef extern from "math.h" nogil:
    double log(double x)
    double sqrt(double x)

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1
    ctypedef struct PyThreadState
    PyThreadState* PyEval_SaveThread()
    void PyEval_RestoreThread(PyThreadState* state)


@cython.final
@cython.freelist(64)
cdef class Node:
    cdef public long long action
    cdef public int player
    cdef public long visits
    cdef public long available
    cdef public double value
    cdef public double prior
    cdef public dict groups

    # 64 bits: the key is made of a context of 32 bits and the player
    @cython.locals(group=dict)
    cpdef dict group(self, unsigned long long context, int player)


cpdef unsigned int mixed(unsigned int context, unsigned int player, unsigned int action)


@cython.final
cdef class _RootMove:
    cdef public long visits
    cdef public list sums
    cdef public double squares


cdef class TreeSearch:
    cdef public double c
    cdef public object seed, rng, evaluator, playout, prior, formula
    cdef public bint stopped
    cdef public list path

    cdef public object root
    cdef public list legal
    cdef public int decider, players
    cdef public bint has_play_out
    cdef public list roots
    cdef public long long nodes, most_nodes
    cdef public dict moves
    cdef public list sums, texts
    cdef public long long visits, deepest, first
    cdef public bint is_new

    @cython.locals(node=Node)
    cpdef _iterate(self)
    @cython.locals(move=_RootMove, own=double, share=double, p=int)
    cpdef _count(self, results)
    @cython.locals(group=dict, arms=list, untried=list, child=Node, best=Node, score=double,
                   best_score=double, share=double, has_room=bint)
    cpdef Node _choose(self, Node node, unsigned int context, int player, legal, world)
    @cython.locals(child=Node, best=Node)
    cpdef Node _best_by_formula(self, list arms)
    @cython.locals(group=dict, child=Node)
    cpdef Node _follow(self, Node node, unsigned int context, int player, long long code)
    cpdef bint _knows_force_of(self, int player)
    cpdef _add(self, Node node, dict group, Node child)
    cpdef _play_out(self, world)
    cpdef _next_world(self)
    cpdef _descend(self, world)


cdef class Mcts(TreeSearch):
    @cython.locals(node=Node, context="unsigned int", depth=long, player=int, action="long long")
    cpdef _descend_one_tree(self, world)


cdef class Ismcts(Mcts):
    cpdef bint _knows_force_of(self, int player)


cdef class MoIsmcts(TreeSearch):
    @cython.locals(node=Node, depth=long, player=int, action="long long", is_new=bint)
    cpdef _descend(self, world)
    @cython.locals(p=int, child=Node)
    cpdef _watch(self, list at, list contexts, world, int player, long long action)
