// The search tree: nodes of 32 bytes in one arena, addressed by a 32-bit index.
//
// There are no edges apart from the nodes. The children of a node lie side by side in a block of
// 2^k nodes, ordered by (context, player, action), so that choosing among them reads one stretch of
// memory:
//
//   parent ──children──▶ [ child │ child │ child │ free ]
//                            └──children──▶ [ … ]
//
// A full block moves to one twice as large; freed blocks are used again.
//
// A child stands for "`player` did `action`" and holds that player's results. Siblings can belong
// to different players and contexts: chance, which has no nodes, can decide who is next; and
// decisions with a single option have no node either, so what was done there is hashed into the
// context of what follows.
//
// A tree with a memory limit that is reached stops growing; then a node without all its children
// goes on with those it has.
//
// What only some searches know of a node (a prior, say) lies in an array of its own beside the
// arena, so that the nodes stay small and a search that keeps nothing there pays nothing:
//
//   Tree<>         nodes alone
//   Tree<float>    a float for each node, `beside(id)`, which moves wherever the node does
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "game/game.h"

namespace druidai {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xffffffffu;

struct Node {
    double value;   // sum of the results of `player` over all visits
    Action action;  // or the code under which an observer sees it
    std::uint32_t visits;
    std::uint32_t available;  // iterations that could have chosen this node, since it exists
    std::uint32_t context;    // forced decisions between the parent and this one; 0: none
    std::uint32_t children;   // first node of the block, if there is one
    std::uint16_t count;      // of children
    std::uint8_t block;       // log2 of the block's size; kNoBlock: no block yet
    std::uint8_t player;

    static constexpr std::uint8_t kNoBlock = 0xff;
};
static_assert(sizeof(Node) == 32 && std::is_trivially_copyable_v<Node>);

// The context after a forced decision. The constant is 2^32 / golden ratio; an odd factor loses
// nothing.
inline std::uint32_t mixed(std::uint32_t context, int player, Action code) {
    return (context ^ (4u * code + static_cast<std::uint32_t>(player) + 1u)) * 0x9e3779b1u;
}

// Where a search stands in a tree. Only a root that is reused can have a context.
struct Spot {
    NodeId node = kNoNode;
    std::uint32_t context = 0;
};

struct Nothing {};

template <class Beside = Nothing>
class Tree {
    static_assert(std::is_trivially_copyable_v<Beside>);
    static constexpr bool kHasBeside = !std::is_same_v<Beside, Nothing>;

public:
    static constexpr std::size_t kNodeBytes = sizeof(Node) + (kHasBeside ? sizeof(Beside) : 0);

    explicit Tree(std::uint64_t most_bytes) {
        free_.fill(kNoNode);
        limit(most_bytes);
    }
    Tree(Tree&& other) noexcept { swap(other); }
    Tree& operator=(Tree&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Tree() {
        std::free(nodes_);
        std::free(beside_);
    }

    Node& operator[](NodeId id) { return nodes_[id]; }
    const Node& operator[](NodeId id) const { return nodes_[id]; }
    Beside& beside(NodeId id)
        requires kHasBeside
    {
        return beside_[id];
    }
    const Beside& beside(NodeId id) const
        requires kHasBeside
    {
        return beside_[id];
    }

    // Whether `insert` can work at this node. When the limit was reached once, no node gets another
    // child, except the roots (their ids are below `roots_`): every action of the decision that is
    // searched has its node.
    bool has_room(NodeId parent) const {
        return (!is_full_ || parent < roots_) && nodes_[parent].count < UINT16_MAX;
    }

    std::uint64_t nodes() const { return live_; }
    std::uint64_t bytes() const { return std::uint64_t{used_} * kNodeBytes; }
    void limit(std::uint64_t most_bytes) {
        most_ =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(most_bytes / kNodeBytes, kNoNode));
        is_full_ = false;
    }

    // A node without a parent, made before all others and whatever the limit is.
    NodeId add_root() {
        const NodeId id = take_block_beyond_limit(0);
        nodes_[id] = fresh(0, 0, 0);
        if constexpr (kHasBeside) beside_[id] = {};
        ++live_;
        ++roots_;
        return id;
    }

    // The children of a node that belong to one context and player, as positions first .. last-1.
    struct Group {
        std::uint32_t first, last;
    };
    Group group(NodeId parent, std::uint32_t context, int player) const {
        const Node& node = nodes_[parent];
        if (node.count == 0) return {0, 0};
        const Node* children = nodes_ + node.children;
        const auto inside = [=](const Node& child) {
            return child.context == context && child.player == player;
        };
        if (inside(children[0]) && inside(children[node.count - 1])) [[likely]]
            return {0, node.count};
        const std::uint64_t key = group_key(context, player);
        const auto below = [](const Node& child, std::uint64_t key) {
            return group_key(child.context, child.player) < key;
        };
        const Node* end = children + node.count;
        const Node* first = std::lower_bound(children, end, key, below);
        const Node* last = std::lower_bound(first, end, key + 1, below);
        return {static_cast<std::uint32_t>(first - children),
                static_cast<std::uint32_t>(last - children)};
    }

    // Asks for the children's memory before it is needed: playing the action that leads to them
    // takes about as long as it takes to come. A few lines do, the rest follows in order.
    void prefetch_children(NodeId id) const {
        const Node& node = nodes_[id];
        const char* const block = reinterpret_cast<const char*>(nodes_ + node.children);
        const std::size_t bytes = std::min<std::size_t>(node.count * sizeof(Node), kPrefetched);
        for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(block + at, 1);
    }

    // The child for an action, or kNoNode and the position where it would be.
    struct Found {
        NodeId child;
        std::uint32_t position;
    };
    Found find(NodeId parent, std::uint32_t context, int player, Action action) const {
        const Group range = group(parent, context, player);
        const Node* children = nodes_ + nodes_[parent].children;
        std::uint32_t low = range.first, high = range.last;
        while (low < high) {
            const std::uint32_t middle = (low + high) / 2;
            if (children[middle].action < action)
                low = middle + 1;
            else
                high = middle;
        }
        const bool is_there = low < range.last && children[low].action == action;
        return {is_there ? nodes_[parent].children + low : kNoNode, low};
    }

    // Puts in a child at its position; kNoNode when there is no room. Moves siblings, so their ids
    // change; those of all other nodes stay.
    NodeId insert(NodeId parent, std::uint32_t position, std::uint32_t context, int player,
                  Action action, [[maybe_unused]] const Beside& beside = {}) {
        if (!has_room(parent) || !make_room(parent)) return kNoNode;
        Node& node = nodes_[parent];
        Node* at = nodes_ + node.children + position;
        std::memmove(at + 1, at, (node.count - position) * sizeof(Node));
        *at = fresh(context, player, action);
        if constexpr (kHasBeside) {
            Beside* const its = beside_ + node.children + position;
            std::memmove(its + 1, its, (node.count - position) * sizeof(Beside));
            *its = beside;
        }
        ++node.count;
        ++live_;
        return node.children + position;
    }

    // A tree of what lies below some nodes of this one, with the same limit; they become its nodes
    // 0, 1, … Their children of other contexts cannot be reached any more, and are left behind.
    Tree below(const std::vector<Spot>& roots) const {
        Tree out(0);
        std::vector<std::pair<NodeId, NodeId>> open;
        const auto copy = [&](NodeId from, NodeId to, std::uint32_t first, std::uint32_t last) {
            Node node = nodes_[from];
            const NodeId children = std::exchange(node.children, 0);
            node.count = static_cast<std::uint16_t>(last - first);
            if (node.count == 0) {
                node.block = Node::kNoBlock;
            } else {
                // What fitted here fits there.
                node.children = out.take_block_beyond_limit(node.block);
                for (std::uint32_t i = 0; i < node.count; ++i)
                    open.emplace_back(children + first + i, node.children + i);
                out.live_ += node.count;
            }
            out.nodes_[to] = node;
            if constexpr (kHasBeside) out.beside_[to] = beside_[from];
        };
        for (std::size_t i = 0; i < roots.size(); ++i) out.add_root();
        for (std::size_t i = 0; i < roots.size(); ++i) {
            const Group range = group(roots[i].node, roots[i].context);
            copy(roots[i].node, static_cast<NodeId>(i), range.first, range.last);
        }
        while (!open.empty()) {
            const auto [from, to] = open.back();
            open.pop_back();
            copy(from, to, 0, nodes_[from].count);
        }
        out.most_ = most_;
        return out;
    }

private:
    static constexpr std::uint32_t kFirstNodes = 1024;
    static constexpr std::size_t kLine = 64, kPrefetched = 512;  // bytes
    static constexpr int kMostBlock = 16;                        // 65536 siblings

    // The children of a node that belong to one context, whoever decides.
    Group group(NodeId parent, std::uint32_t context) const {
        const Node& node = nodes_[parent];
        if (node.count == 0) return {0, 0};
        const Node* const children = nodes_ + node.children;
        const Node* const end = children + node.count;
        const auto below = [](const Node& child, std::uint64_t key) { return child.context < key; };
        const Node* const first = std::lower_bound(children, end, std::uint64_t{context}, below);
        const Node* const last = std::lower_bound(first, end, std::uint64_t{context} + 1, below);
        return {static_cast<std::uint32_t>(first - children),
                static_cast<std::uint32_t>(last - children)};
    }

    static std::uint64_t group_key(std::uint32_t context, int player) {
        return std::uint64_t{context} << 8 | static_cast<std::uint64_t>(player);
    }
    static Node fresh(std::uint32_t context, int player, Action action) {
        return {0, action, 0, 0, context, 0, 0, Node::kNoBlock, static_cast<std::uint8_t>(player)};
    }

    bool make_room(NodeId parent) {
        const Node node = nodes_[parent];
        if (node.block == Node::kNoBlock) {
            const NodeId block = parent < roots_ ? take_block_beyond_limit(0) : take_block(0);
            if (block == kNoNode) return false;
            nodes_[parent].children = block;
            nodes_[parent].block = 0;
            return true;
        }
        if (node.count < 1u << node.block) [[likely]]
            return true;
        const NodeId larger =
            parent < roots_ ? take_block_beyond_limit(node.block + 1) : take_block(node.block + 1);
        if (larger == kNoNode) return false;
        std::memcpy(nodes_ + larger, nodes_ + node.children, node.count * sizeof(Node));
        if constexpr (kHasBeside)
            std::memcpy(beside_ + larger, beside_ + node.children, node.count * sizeof(Beside));
        nodes_[node.children].children = free_[node.block];
        free_[node.block] = node.children;
        nodes_[parent].children = larger;
        ++nodes_[parent].block;
        return true;
    }

    NodeId take_block(int size) {
        if (free_[size] != kNoNode) {
            const NodeId block = free_[size];
            free_[size] = nodes_[block].children;
            return block;
        }
        const std::uint64_t end = std::uint64_t{used_} + (1u << size);
        if (end > most_ || (end > capacity_ && !grow(end))) {
            is_full_ = true;
            return kNoNode;
        }
        return std::exchange(used_, static_cast<std::uint32_t>(end));
    }

    NodeId take_block_beyond_limit(int size) {
        const std::uint32_t most = std::exchange(most_, kNoNode);
        const bool is_full = is_full_;
        const NodeId block = take_block(size);
        most_ = most;
        is_full_ = is_full;
        if (block == kNoNode) throw std::bad_alloc();
        return block;
    }

    // realloc moves large blocks by changing the page table where the system can, without copying.
    bool grow(std::uint64_t least) {
        std::uint64_t wanted = std::max<std::uint64_t>({least, kFirstNodes, 2ull * capacity_});
        wanted = std::max(least, std::min<std::uint64_t>(wanted, most_));
        if (!grow(nodes_, wanted)) return false;
        if constexpr (kHasBeside)
            if (!grow(beside_, wanted)) return false;
        capacity_ = wanted;
        return true;
    }
    template <class T>
    static bool grow(T*& array, std::uint64_t wanted) {
        void* const moved = std::realloc(static_cast<void*>(array), wanted * sizeof(T));
        if (moved) array = static_cast<T*>(moved);
        return moved;
    }

    void swap(Tree& other) {
        std::swap(nodes_, other.nodes_);
        std::swap(beside_, other.beside_);
        std::swap(capacity_, other.capacity_);
        std::swap(used_, other.used_);
        std::swap(most_, other.most_);
        std::swap(live_, other.live_);
        std::swap(roots_, other.roots_);
        std::swap(is_full_, other.is_full_);
        std::swap(free_, other.free_);
    }

    Node* nodes_ = nullptr;
    Beside* beside_ = nullptr;  // as nodes_, if there is anything to keep
    std::uint64_t capacity_ = 0;
    std::uint32_t used_ = 0;  // nodes handed out in blocks, freed ones included
    std::uint32_t most_ = 0;
    std::uint64_t live_ = 0;
    std::uint32_t roots_ = 0;  // nodes without a parent have the lowest ids
    bool is_full_ = false;
    std::array<NodeId, kMostBlock + 1> free_{};  // first free block of a size, then `children`
};

}  // namespace druidai
