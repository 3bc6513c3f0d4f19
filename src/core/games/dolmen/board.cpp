#include "games/dolmen/board.h"

#include <algorithm>
#include <string>

namespace druidai::dolmen {

namespace {

struct Join {
    int a, b;
    bool operator==(const Join& other) const {
        return (a == other.a && b == other.b) || (a == other.b && b == other.a);
    }
};

std::string name_of(const char* kind, int i) { return std::string(kind) + " " + std::to_string(i); }
std::string name_of(const char* kind, Join j) {
    return std::string(kind) + " " + std::to_string(j.a) + "-" + std::to_string(j.b);
}

int any_whole_number(const Reader& json) {
    const auto* value = json.json().get_if<std::int64_t>();
    if (!value) json.expected("the number of a node");
    return static_cast<int>(std::clamp<std::int64_t>(*value, INT32_MIN, INT32_MAX));
}

void check_coordinate(const Reader& json, int node) {
    const auto* whole = json.json().get_if<std::int64_t>();
    const auto* real = json.json().get_if<double>();
    const double value = whole ? static_cast<double>(*whole) : real ? *real : -1;
    if (!(value >= 0 && value <= 1000))
        json.expected("a number from 0 to 1000 for " + name_of("node", node));
}

// The steps of the page, in its order.
class BoardReader {
public:
    explicit BoardReader(const Reader& json) : json_(json) {}

    Board read() {
        read_nodes();
        read_paths();
        read_circles();
        check_covering();
        read_gates();
        read_corners();
        check_rim();
        return board_;
    }

private:
    // ---- 1. Lists and nodes ----
    void read_nodes() {
        if (!json_.json().get_if<Json::Object>())
            json_.expected(
                "the name of a shipped board (standard, small), a file or a board object");
        for (const char* list : {"nodes", "paths", "gates", "corners", "circles"})
            if (!json_.at(list).json().get_if<Json::Array>()) json_.at(list).expected("a list");
        const Reader nodes = json_.at("nodes"), circles = json_.at("circles");
        if (nodes.size() < 1 || nodes.size() > kMostNodes)
            nodes.expected("a list of 1 to 128 nodes");
        if (circles.size() < 1 || circles.size() > kMostCircles)
            circles.expected("a list of 1 to 64 circles");
        board_.nodes = static_cast<int>(nodes.size());
        board_.circles = static_cast<int>(circles.size());
        board_.all = Bits128::first(board_.nodes);
        for (int i = 0; i < board_.nodes; ++i) {
            const Reader node = nodes.at(static_cast<std::size_t>(i));
            for (const char* axis : {"x", "y"}) {
                if (!node.has(axis)) node.fail(name_of("node", i) + " has no " + axis);
                check_coordinate(node.at(axis), i);
            }
        }
    }

    Join read_join(const Reader& json, const char* kind) const {
        if (!json.json().get_if<Json::Array>() || json.size() != 2)
            json.expected("a list of two nodes");
        const Join join{any_whole_number(json.at(std::size_t{0})),
                        any_whole_number(json.at(std::size_t{1}))};
        for (const int node : {join.a, join.b})
            if (!is_node(node))
                json.fail(name_of(kind, join) + ": there is no " + name_of("node", node));
        if (join.a == join.b) json.fail(name_of(kind, join) + " joins a node with itself");
        return join;
    }

    bool is_node(int node) const { return node >= 0 && node < board_.nodes; }

    void join(Join j) {
        board_.node[j.a].joined.add(j.b);
        board_.node[j.b].joined.add(j.a);
    }

    // ---- 2. Paths ----
    void read_paths() {
        for (const Reader& json : json_.at("paths").elements()) {
            const Join path = read_join(json, "path");
            if (board_.node[path.a].joined.has(path.b))
                json.fail(name_of("path", path) + " is given twice");
            join(path);
            paths_.push_back(path);
        }
        uses_.assign(paths_.size(), 0);
    }

    // ---- 3. Circles ----
    void read_circles() {
        for (int i = 0; i < board_.circles; ++i) {
            const Reader circle = json_.at("circles").at(static_cast<std::size_t>(i));
            const std::string name = name_of("circle", i);
            if (!circle.json().get_if<Json::Object>()) circle.fail(name + ": expected an object");
            if (!circle.has("nodes") || !circle.at("nodes").json().get_if<Json::Array>())
                circle.fail(name + " has no list of nodes");
            read_circle(circle, i, name);
        }
    }

    void read_circle(const Reader& circle, int number, const std::string& name) {
        std::vector<int> walk;
        const Reader list = circle.at("nodes");
        if (list.size() != 4 && list.size() != 6 && list.size() != 8)
            list.fail(name + ": expected 4, 6 or 8 nodes, found " + std::to_string(list.size()));
        for (const Reader& json : list.elements()) {
            const int node = any_whole_number(json);
            if (!is_node(node)) json.fail(name + ": there is no " + name_of("node", node));
            if (board_.around[number].has(node))
                json.fail(name + ": " + name_of("node", node) + " is given twice");
            board_.around[number].add(node);
            walk.push_back(node);
        }
        for (std::size_t k = 0; k < walk.size(); ++k) {
            const Join step{walk[k], walk[(k + 1) % walk.size()]};
            const auto path = std::find(paths_.begin(), paths_.end(), step);
            if (path == paths_.end())
                list.fail(name + " is broken: there is no " + name_of("path", step));
            ++uses_[static_cast<std::size_t>(path - paths_.begin())];
        }
        const int multiplier = static_cast<int>(walk.size()) / 2 + 1;
        if (circle.has("multiplier")) {
            const auto* given = circle.at("multiplier").json().get_if<std::int64_t>();
            if (!given || *given != multiplier)
                circle.at("multiplier")
                    .fail(name + ": expected multiplier " + std::to_string(multiplier) + " for " +
                          std::to_string(walk.size()) + " nodes, found " +
                          circle.at("multiplier").json().describe());
        }
        board_.multiplier[number] = static_cast<std::uint8_t>(multiplier);
    }

    // ---- 4. Everything lies in circles ----
    void check_covering() {
        for (std::size_t i = 0; i < paths_.size(); ++i)
            if (uses_[i] == 0)
                json_.at("paths").at(i).fail(name_of("path", paths_[i]) + " lies in no circle");
        for (int i = 0; i < board_.nodes; ++i) {
            Board::Node& node = board_.node[i];
            int count = 0;
            for (int circle = 0; circle < board_.circles; ++circle)
                if (board_.around[circle].has(i) && count++ < kMostCirclesOfNode)
                    node.circles[count - 1] = static_cast<std::uint8_t>(circle);
            if (count < 1 || count > kMostCirclesOfNode)
                fail_node(i, "lies in " + std::to_string(count) + " circles; expected 1 to 3");
            node.circle_count = static_cast<std::uint8_t>(count);
        }
    }

    // ---- 5. Gates and corners ----
    void read_gates() {
        for (const Reader& json : json_.at("gates").elements()) {
            const Join gate = read_join(json, "gate");
            if (std::find(gates_.begin(), gates_.end(), gate) != gates_.end())
                json.fail(name_of("gate", gate) + " is given twice");
            gates_.push_back(gate);
        }
        for (const Join gate : gates_) join(gate);
    }

    void read_corners() {
        const Reader list = json_.at("corners");
        for (const Reader& json : list.elements()) {
            const int node = any_whole_number(json);
            if (!is_node(node)) json.fail("there is no " + name_of("node", node));
            if (corners_.has(node))
                json.fail("expected four different corners, found " + name_of("node", node) +
                          " twice");
            corners_.add(node);
        }
        if (list.size() != 4) list.expected("four different corners");
        for (Bits128 rest = corners_; !rest.empty();) {
            const int corner = rest.pop_lowest();
            board_.node[corner].joined |= corners_ & ~Bits128::of(corner);
        }
    }

    // ---- 6. The rim ----
    void check_rim() {
        Bits128 rim;
        for (std::size_t i = 0; i < paths_.size(); ++i)
            if (uses_[i] == 1) rim |= Bits128::of(paths_[i].a) | Bits128::of(paths_[i].b);
        for (int node = 0; node < board_.nodes; ++node) {
            int gates = 0;
            for (const Join gate : gates_) gates += gate.a == node || gate.b == node;
            const bool corner = corners_.has(node);
            if (!rim.has(node)) {
                if (corner) fail_node(node, "is a corner, but not on the rim");
                if (gates)
                    fail_node(node, "has a gate (" + gate_of(node) + "), but is not on the rim");
            } else if (corner && gates) {
                fail_node(node, "is a corner and has a gate (" + gate_of(node) +
                                    "); expected one of both");
            } else if (!corner && gates != 1) {
                fail_node(node, "is on the rim and no corner; expected one gate, found " +
                                    std::to_string(gates));
            }
        }
    }

    std::string gate_of(int node) const {
        const auto at = [node](Join gate) { return gate.a == node || gate.b == node; };
        return name_of("gate", *std::find_if(gates_.begin(), gates_.end(), at));
    }

    [[noreturn]] void fail_node(int node, const std::string& message) const {
        json_.at("nodes")
            .at(static_cast<std::size_t>(node))
            .fail(name_of("node", node) + " " + message);
    }

    const Reader& json_;
    Board board_;
    std::vector<Join> paths_, gates_;
    std::vector<int> uses_;  // in how many circles each path lies
    Bits128 corners_;
};

}  // namespace

Board read_board(const Reader& json) { return BoardReader(json).read(); }

}  // namespace druidai::dolmen
