// Checks of the node in a simulation: after every start, and while it runs.
#include <utility>

#include "faults/simulation.h"
#include "testing/vector_nodes.h"

namespace quarry::faults {
namespace {

State state_of(const std::optional<Seen>& seen) {
  if (!seen) return std::nullopt;
  return Document{revision_of(seen->source), seen->source, seen->version};
}

std::string ids_of(const std::map<std::string, Seen>& found) {
  std::string ids;
  for (const auto& [id, seen] : found) ids += " " + id;
  return ids;
}

/// The numbers of the `"v"` member; empty if there is none.
std::vector<float> vector_of(const std::string& source) {
  std::vector<float> numbers;
  size_t at = source.find("\"v\":[");
  if (at == std::string::npos) return numbers;
  at += 4;
  while (source[at] != ']') {
    at++;
    size_t used = 0;
    numbers.push_back(std::stof(source.substr(at), &used));
    at += used;
  }
  return numbers;
}

/// The `"q"` member of the first nested object; empty if there is none.
std::string nested_word_of(const std::string& source) {
  const size_t at = source.find("\"p\":[{\"q\":\"");
  if (at == std::string::npos) return {};
  const size_t begin = at + 11;
  return source.substr(begin, source.find('"', begin) - begin);
}

bool out_of_service(const IndexSeen& index) {
  return index.description.find("\"damage\":") != std::string::npos;
}

}  // namespace

/// After a start: the state of the node must be one that the oracle allows; it is the expected
/// state from then on.
void Simulation::reconcile() {
  const auto seen = node_.indices();
  if (!seen.ok()) {
    if (dead()) return;
    if (seen.status().type() == ErrorType::kInternal || !excused())
      fail("describe: " + seen.status().reason());
    return;
  }
  if (dead()) return;
  for (const auto& [name, found] : *seen) {
    if (indices_.contains(name)) continue;
    // An index whose metadata cannot be read has no name; the next start may be able to read them.
    if (out_of_service(found) && excused()) return;
    return fail("index " + name + " was never created");
  }
  for (auto& [name, index] : indices_) {
    if (!ok() || dead() || !reconcile_index(name, *seen)) return;
  }
  reconciled_ = !dead();
  if (reconciled_) power_cut_ = false;
}

bool Simulation::reconcile_index(const std::string& name,
                                 const std::map<std::string, IndexSeen>& seen) {
  IndexModel& index = indices_[name];
  const auto found = seen.find(name);
  if (found == seen.end()) {
    if (index.presence == Presence::kThere) fail("index " + name + " is lost");
    index = IndexModel();
    return true;
  }
  if (index.presence == Presence::kGone) fail("index " + name + " is back");
  index.presence = Presence::kThere;
  index.usable = true;
  index.number = found->second.number;
  index.shards = found->second.shards;
  if (out_of_service(found->second)) {
    // Out of service until the next start, which shows the content of its files and its log.
    if (!excused()) fail("index " + name + " is out of service: " + found->second.description);
    return false;
  }
  reconcile_fields(index, found->second.description);
  for (auto& [id, key] : index.keys) {
    const auto got = node_.get(index.number, id);
    if (!expect(got.status(), "get after a start")) return false;
    const State before = key.now;
    const std::vector<State> allowed = power_cut_ ? key.power : key.process;
    if (key.adopt(state_of(*got), power_cut_)) continue;
    std::string list;
    for (const State& state : allowed) list += " | " + show(state);
    fail(std::string("after ") + (power_cut_ ? "a power cut " : "a kill ") + name + "/" + id +
         " is " + show(key.now) + ", it was " + show(before) + ", allowed" + list);
    return false;
  }
  check_search(name);
  return ok();
}

void Simulation::reconcile_fields(IndexModel& index, const std::string& description) {
  for (auto& [field, presence] : index.fields) {
    const bool there = description.find("\"" + field + "\"") != std::string::npos;
    if (!there && presence == Presence::kThere) fail("field " + field + " is lost");
    // A field whose request was not answered may still be lost.
    if (presence != Presence::kThere) presence = there ? Presence::kMaybe : Presence::kGone;
  }
}

void Simulation::check_key(const std::string& name, const std::string& id) {
  const IndexModel& index = indices_[name];
  const auto got = node_.get(index.number, id);
  if (!expect(got.status(), "get")) return;
  const auto known = index.keys.find(id);
  const State expected = known == index.keys.end() ? std::nullopt : known->second.now;
  const State found = state_of(*got);
  if (matches(expected, found)) return;
  fail(name + "/" + id + " is " + show(found) + " instead of " + show(expected));
}

/// Every written document must be found: all of them by match_all, and each by its words and
/// vectors.
void Simulation::check_search(const std::string& name) {
  note("search " + name);
  const IndexModel& index = indices_[name];
  for (uint32_t i = 0; i < index.shards; i++) {
    if (!expect(node_.engine->refresh({index.number, i}).status(), "refresh")) return;
    if (dead()) return;
  }
  const auto found = node_.search(index.number, index.shards, testing::Query().match_all());
  if (!found.ok() && found.status().type() == ErrorType::kInternal)
    return fail(found.status().reason());
  if (!expect(found.status(), "search")) return;
  size_t expected = 0;
  for (const auto& [id, key] : index.keys) {
    if (!key.now) continue;
    expected++;
    const auto at = found->find(id);
    if (at == found->end()) return fail("a search lacks " + name + "/" + id + ", " + show(key.now));
    if (!matches(key.now, state_of(at->second)))
      return fail("a search shows an old " + name + "/" + id);
  }
  if (found->size() != expected)
    return fail("a search of " + name + " finds too much:" + ids_of(*found));
  check_words(name);
  check_vectors(name);
  if (ok()) check_nested(name, *found);
}

void Simulation::check_words(const std::string& name) {
  const IndexModel& index = indices_[name];
  for (const auto& [id, key] : index.keys) {
    if (!key.now || key.now->rev % 3 != 0 || !ok()) continue;
    const std::string word = "tok" + std::to_string(key.now->rev);
    const auto found = node_.search(index.number, index.shards, testing::Query().term("t", word));
    if (!expect(found.status(), "search")) return;
    const bool right = found->size() == 1 && found->begin()->first == id;
    if (!right)
      fail("the postings of " + word + " in " + name + " lead to [" + ids_of(*found) +
           " ] and not to " + id);
  }
}

void Simulation::check_vectors(const std::string& name) {
  const IndexModel& index = indices_[name];
  for (const auto& [id, key] : index.keys) {
    if (!key.now || key.now->rev % 4 != 0 || !ok()) continue;
    testing::KnnNode query{vector_of(key.now->source), 1};
    if (query.vector.empty()) continue;
    query.field = "v";
    const auto found = node_.search(index.number, index.shards, query.bytes(), 1);
    if (!expect(found.status(), "knn")) return;
    if (!found->contains(id)) fail("knn does not find the vector of " + name + "/" + id);
  }
}

/// The nested documents of a document are those of its source, and live as long as it does. `all`:
/// the documents of the index.
void Simulation::check_nested(const std::string& name, const std::map<std::string, Seen>& all) {
  const IndexModel& index = indices_[name];
  const auto search = [&](const testing::NodeBytes& query) {
    return node_.search(index.number, index.shards, query);
  };
  const auto with_any = search(testing::Query().nested("p", testing::Query().match_all()));
  if (!expect(with_any.status(), "nested search")) return;
  for (const auto& [id, seen] : all) {
    const std::string q = nested_word_of(seen.source);
    if (q.empty() == with_any->contains(id))
      return fail("a nested search is wrong about " + name + "/" + id);
    if (q.empty() || revision_of(seen.source) % 4 != 0) continue;
    const testing::NodeBytes deep =
        testing::Query().nested("p.r", testing::Query().term("p.r.q", q));
    for (const testing::NodeBytes& query :
         {testing::Query().nested("p", testing::Query().term("p.q", q)), deep}) {
      const auto found = search(query);
      if (!expect(found.status(), "nested search")) return;
      if (found->size() != 1 || !found->contains(id))
        return fail("the nested documents with " + q + " in " + name + " lead to [" +
                    ids_of(*found) + " ] and not to " + id);
    }
  }
  if (with_any->size() > all.size()) fail("a nested search of " + name + " finds too much");
}

}  // namespace quarry::faults
