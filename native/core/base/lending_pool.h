// A pool of objects with warm scratch memory (searchers, embedders), each lent to one caller at a
// time. The pool grows to the largest number of objects in use at once.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace quarry {

/// Thread-safe; must outlive its leases. `T` must be default-constructible.
template <typename T>
class LendingPool {
 public:
  /// Returns the object to the pool when destroyed.
  class Lease {
   public:
    Lease(LendingPool* pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      if (pool_ != nullptr) pool_->put(std::move(object_));
    }
    T& operator*() { return *object_; }
    T* operator->() { return object_.get(); }

   private:
    LendingPool* pool_;
    std::unique_ptr<T> object_;
  };

  /// Without a pool (null), the lease has an object of its own.
  static Lease lend(LendingPool* pool) {
    return {pool, pool != nullptr ? pool->get() : std::make_unique<T>()};
  }

 private:
  std::unique_ptr<T> get() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        std::unique_ptr<T> last = std::move(idle_.back());
        idle_.pop_back();
        return last;
      }
    }
    return std::make_unique<T>();
  }
  void put(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(object));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace quarry
