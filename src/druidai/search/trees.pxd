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
cdef class Trace:
    cdef public int decider
    cdef public long long first
    cdef public long depth
    cdef public list path, moves


cdef class Simulation:
    cpdef finish(self, world, rng, Trace trace)
    cpdef learn(self, Trace trace, results)


cdef class UniformPlayout(Simulation):
    cpdef finish(self, world, rng, Trace trace)


cdef class PolicyPlayout(Simulation):
    cdef public object playout

    cpdef finish(self, world, rng, Trace trace)


cdef class Evaluation(Simulation):
    cdef public object evaluator

    cpdef finish(self, world, rng, Trace trace)


cdef class Selector:
    cpdef Node choose(self, TreeSearch search, Node node, unsigned int context, int player, legal,
                      world)


cdef class Ucb(Selector):
    cdef public double c

    @cython.locals(group=dict, arms=list, untried=list, child=Node, best=Node, score=double,
                   best_score=double, share=double)
    cpdef Node choose(self, TreeSearch search, Node node, unsigned int context, int player, legal,
                      world)


cdef class ByFormula(Selector):
    cdef public object formula, prior

    @cython.locals(group=dict, child=Node)
    cpdef Node choose(self, TreeSearch search, Node node, unsigned int context, int player, legal,
                      world)


@cython.final
cdef class _RootMove:
    cdef public long visits
    cdef public list sums
    cdef public double squares


cdef class TreeSearch:
    cdef public object seed, rng, source
    cdef public Simulation simulation
    cdef public Selector selector
    cdef public bint stopped, is_per_player, reads_moves, is_open
    cdef public Trace trace

    cdef public list legal
    cdef public int decider, players
    cdef public long long sets, count
    cdef public list roots, moves
    cdef public long long nodes, most_nodes
    cdef public list sums, texts
    cdef public long long visits, deepest

    @cython.locals(trace=Trace, node=Node, index="long long")
    cpdef _iterate(self)
    @cython.locals(trace=Trace, at=list, contexts=list, node=Node, player=int, own=int,
                   action="long long", is_new=bint, is_per_player=bint)
    cpdef _descend(self, world, long long index)
    @cython.locals(own=int, node=Node)
    cpdef _pass_forced(self, list at, list contexts, world, int player, long long action)
    cpdef bint _knows_force_of(self, int player)
    @cython.locals(p=int, child=Node)
    cpdef _watch(self, list at, list contexts, world, int player, long long action)
    cpdef _enter(self, list at, list contexts, int own, Node node)
    cpdef _play(self, world, int player, long long action)
    @cython.locals(move=_RootMove, own=double, share=double, p=int)
    cpdef _count(self, long long index, results)
    cpdef bint has_room(self, Node node)
    @cython.locals(child=Node)
    cpdef Node expand(self, Node node, dict group, int player, long long action)
    @cython.locals(group=dict, child=Node)
    cpdef Node _find_or_make(self, Node node, unsigned int context, int player, long long code)
    cpdef _add(self, Node node, dict group, Node child)


cdef class Mcts(TreeSearch):
    pass


cdef class Pimc(TreeSearch):
    cdef public int most_worlds


cdef class Ismcts(TreeSearch):
    pass


cdef class MoIsmcts(TreeSearch):
    pass
