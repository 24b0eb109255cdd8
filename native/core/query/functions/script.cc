// Runs scripts: the instruction loop, values of columns, and arithmetic of integers and
// floating-point numbers.
#include "query/functions/script.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "json/number.h"
#include "mapping/dates/calendar.h"
#include "mapping/values/numeric.h"

namespace quarry {
namespace {

using Kind = ScriptValue::Kind;

bool is_comparison(ScriptCode code) {
  return code >= ScriptCode::kLess && code <= ScriptCode::kUnequal;
}

template <typename T>
bool compare(ScriptCode code, const T& a, const T& b) {
  switch (code) {
    case ScriptCode::kLess:
      return a < b;
    case ScriptCode::kLessEqual:
      return a <= b;
    case ScriptCode::kGreater:
      return a > b;
    case ScriptCode::kGreaterEqual:
      return a >= b;
    case ScriptCode::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

/// Two's complement: overflow wraps around, as in Java.
int64_t wrap(uint64_t value) { return static_cast<int64_t>(value); }

double combine_numbers(ScriptCode code, double a, double b) {
  switch (code) {
    case ScriptCode::kAdd:
      return a + b;
    case ScriptCode::kSubtract:
      return a - b;
    case ScriptCode::kMultiply:
      return a * b;
    case ScriptCode::kDivide:
      return a / b;
    default:
      return std::fmod(a, b);
  }
}

int64_t to_whole(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 9223372036854775807.0) return INT64_MAX;
  return value <= -9223372036854775808.0 ? INT64_MIN : static_cast<int64_t>(value);
}

double call_one(ScriptCall function, double a) {
  switch (function) {
    case ScriptCall::kAbs:
      return std::fabs(a);
    case ScriptCall::kCeil:
      return std::ceil(a);
    case ScriptCall::kExp:
      return std::exp(a);
    case ScriptCall::kFloor:
      return std::floor(a);
    case ScriptCall::kLog:
      return std::log(a);
    case ScriptCall::kLog10:
      return std::log10(a);
    case ScriptCall::kAcos:
      return std::acos(a);
    case ScriptCall::kAcosh:
      return std::acosh(a);
    case ScriptCall::kAsin:
      return std::asin(a);
    case ScriptCall::kAsinh:
      return std::asinh(a);
    case ScriptCall::kAtan:
      return std::atan(a);
    case ScriptCall::kAtanh:
      return std::atanh(a);
    case ScriptCall::kCos:
      return std::cos(a);
    case ScriptCall::kCosh:
      return std::cosh(a);
    case ScriptCall::kSin:
      return std::sin(a);
    case ScriptCall::kSinh:
      return std::sinh(a);
    case ScriptCall::kTan:
      return std::tan(a);
    case ScriptCall::kTanh:
      return std::tanh(a);
    case ScriptCall::kBitNot:
      return static_cast<double>(~to_whole(a));
    case ScriptCall::kSignum:
      return std::isnan(a) || a == 0 ? a : (a > 0 ? 1 : -1);
    default:
      return std::sqrt(a);
  }
}

/// Kilometers between two places on the globe, given as latitude, longitude.
double haversin(const ScriptValue* places) {
  constexpr double kRadian = 3.14159265358979323846 / 180;
  constexpr double kEarthRadius = 6371.0087714;
  const double from = places[0].as_number() * kRadian;
  const double to = places[2].as_number() * kRadian;
  const double around = (places[3].as_number() - places[1].as_number()) * kRadian;
  const double h =
      (1 - std::cos(to - from)) / 2 + std::cos(from) * std::cos(to) * (1 - std::cos(around)) / 2;
  return 2 * kEarthRadius * std::asin(std::min(1.0, std::sqrt(h)));
}

/// The low six bits of the number after Java's cast to 32 bits.
uint32_t shift_places(double by) {
  const int64_t whole = std::clamp<int64_t>(to_whole(by), INT32_MIN, INT32_MAX);
  return static_cast<uint32_t>(whole) & 63U;
}

int64_t combine_bits(ScriptCall function, double left, double right) {
  const int64_t a = to_whole(left);
  switch (function) {
    case ScriptCall::kBitAnd:
      return a & to_whole(right);
    case ScriptCall::kBitOr:
      return a | to_whole(right);
    case ScriptCall::kBitXor:
      return a ^ to_whole(right);
    case ScriptCall::kShiftLeft:
      return wrap(static_cast<uint64_t>(a) << shift_places(right));
    case ScriptCall::kShiftRight:
      return a >> shift_places(right);
    default:
      return wrap(static_cast<uint64_t>(a) >> shift_places(right));
  }
}

double call_several(ScriptCall function, const ScriptValue* args) {
  const double a = args[0].as_number();
  const double b = args[1].as_number();
  if (function >= ScriptCall::kBitAnd) return static_cast<double>(combine_bits(function, a, b));
  switch (function) {
    case ScriptCall::kMax:
      return std::isnan(a) || std::isnan(b) ? NAN : std::max(a, b);
    case ScriptCall::kMin:
      return std::isnan(a) || std::isnan(b) ? NAN : std::min(a, b);
    case ScriptCall::kPow:
      return std::pow(a, b);
    case ScriptCall::kAtan2:
      return std::atan2(a, b);
    case ScriptCall::kLogn:
      return std::log(b) / std::log(a);
    case ScriptCall::kHaversin:
      return haversin(args);
    case ScriptCall::kSaturation:
      return a / (b + a);
    default: {
      const double exponent = args[2].as_number();
      return std::pow(a, exponent) / (std::pow(b, exponent) + std::pow(a, exponent));
    }
  }
}

int64_t part_of_date(ScriptDatePart part, int64_t days) {
  const CivilDate date = civil_from_days(days);
  const int64_t year_of_era = date.year > 0 ? date.year : 1 - date.year;
  switch (part) {
    case ScriptDatePart::kCenturyOfEra:
      return year_of_era / 100;
    case ScriptDatePart::kDayOfMonth:
      return date.day;
    case ScriptDatePart::kDayOfWeek:
      return iso_weekday(days);
    case ScriptDatePart::kDayOfYear:
      return day_of_year(date);
    case ScriptDatePart::kEra:
      return date.year > 0 ? 1 : 0;
    case ScriptDatePart::kMonth:
      return date.month - 1;
    case ScriptDatePart::kMonthOfYear:
      return date.month;
    case ScriptDatePart::kWeekOfWeekyear:
      return iso_week(days).week;
    case ScriptDatePart::kWeekyear:
      return iso_week(days).year;
    case ScriptDatePart::kYear:
      return date.year;
    case ScriptDatePart::kYearOfCentury:
      return year_of_era % 100;
    default:
      return year_of_era;
  }
}

int64_t part_of_moment(ScriptDatePart part, int64_t moment) {
  const int64_t days = floor_div(moment, kMsPerDay);
  const int64_t of_day = moment - days * kMsPerDay;
  switch (part) {
    case ScriptDatePart::kHourOfDay:
      return of_day / kMsPerHour;
    case ScriptDatePart::kMillisOfDay:
      return of_day;
    case ScriptDatePart::kMillisOfSecond:
      return of_day % kMsPerSecond;
    case ScriptDatePart::kMinuteOfDay:
      return of_day / kMsPerMinute;
    case ScriptDatePart::kMinuteOfHour:
      return of_day / kMsPerMinute % 60;
    case ScriptDatePart::kSecondOfDay:
      return of_day / kMsPerSecond;
    case ScriptDatePart::kSecondOfMinute:
      return of_day / kMsPerSecond % 60;
    default:
      return part_of_date(part, days);
  }
}

}  // namespace

std::string script_number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return format_double(value);
}

void Script::start_leaf(const Leaf& leaf) {
  for (ScriptField& field : fields_) {
    const SegmentField* held = leaf.segment->field(field.field->name);
    field.column = held == nullptr ? nullptr : held->column;
    field.vectors = held == nullptr ? nullptr : held->vectors;
    field.terms = held == nullptr || held->inverted == nullptr ? nullptr : &held->inverted->terms();
  }
}

ScriptValue Script::fail(const std::string& why) {
  progress_.fail(
      Status(ErrorType::kIllegalArgument, "runtime error in script [" + source_ + "]: " + why));
  return ScriptValue::of(0);
}

ScriptValue Script::run(uint32_t doc, float score) {
  stack_.clear();
  made_.clear();
  made_bytes_ = 0;
  progress_.stop.step(static_cast<uint32_t>(program_.size()));
  for (size_t at = 0; at < program_.size();) at = step(at, doc, score);
  return stack_.back();
}

/// Executes one instruction and returns the index of the next one.
size_t Script::step(size_t at, uint32_t doc, float score) {
  const ScriptInstruction& now = program_[at];
  switch (now.code) {
    case ScriptCode::kNumber:
      stack_.push_back(ScriptValue::of(now.number));
      return at + 1;
    case ScriptCode::kWhole:
      stack_.push_back(ScriptValue::of_whole(now.whole));
      return at + 1;
    case ScriptCode::kTruth:
      stack_.push_back(ScriptValue::of_truth(now.whole != 0));
      return at + 1;
    case ScriptCode::kText:
      stack_.push_back(ScriptValue::of_text(now.text));
      return at + 1;
    case ScriptCode::kScore:
      stack_.push_back(ScriptValue::of(static_cast<double>(score)));
      return at + 1;
    case ScriptCode::kValue:
      stack_.push_back(value_of(fields_[now.target], doc));
      return at + 1;
    case ScriptCode::kSize:
      stack_.push_back(ScriptValue::of_whole(size_of(fields_[now.target], doc)));
      return at + 1;
    case ScriptCode::kVector:
      stack_.push_back(compare_vectors(now, doc));
      return at + 1;
    case ScriptCode::kReduce:
      stack_.push_back(
          reduce(fields_[now.target], static_cast<ScriptReduction>(now.function), doc));
      return at + 1;
    case ScriptCode::kDate:
      stack_.push_back(
          date_part(fields_[now.target], static_cast<ScriptDatePart>(now.function), doc));
      return at + 1;
    case ScriptCode::kJump:
      return now.target;
    case ScriptCode::kJumpUnless: {
      const bool taken = !stack_.back().is_true();
      stack_.pop_back();
      return taken ? now.target : at + 1;
    }
    case ScriptCode::kNegate: {
      ScriptValue& top = stack_.back();
      if (top.is_text()) top = fail("[-] needs a number");
      top = top.kind == Kind::kWhole
                ? ScriptValue::of_whole(wrap(0 - static_cast<uint64_t>(top.whole)))
                : ScriptValue::of(-top.as_number());
      return at + 1;
    }
    case ScriptCode::kNot:
      stack_.back() = ScriptValue::of_truth(!stack_.back().is_true());
      return at + 1;
    case ScriptCode::kCall: {
      const auto function = static_cast<ScriptCall>(now.function);
      const size_t first = stack_.size() - script_call_arity(function);
      const ScriptValue made = call(function, &stack_[first]);
      stack_.resize(first);
      stack_.push_back(made);
      return at + 1;
    }
    default: {
      const ScriptValue right = stack_.back();
      stack_.pop_back();
      stack_.back() = combine(now.code, stack_.back(), right);
      return at + 1;
    }
  }
}

uint32_t Script::size_of(const ScriptField& field, uint32_t doc) {
  if (field.field->has_vectors()) {
    return field.vectors != nullptr && field.vectors->ordinal(doc) != kNoVector ? 1 : 0;
  }
  return field.column == nullptr ? 0 : field.column->count(doc);
}

ScriptValue Script::value_of(const ScriptField& field, uint32_t doc) {
  if (field.column == nullptr || field.column->count(doc) == 0) {
    return fail(
        "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if "
        "a document is missing a field!");
  }
  const int64_t value = field.column->value(doc);
  if (field.field->has_ordinals()) {
    if (field.terms == nullptr || value < 0 || value >= field.terms->size()) return fail("no term");
    const std::string_view term = field.terms->term(static_cast<uint32_t>(value));
    const TermCodec* codec = field.field->traits().codec;
    if (codec == nullptr) return ScriptValue::of_text(term);
    return make_text(codec->print(term));
  }
  switch (number_kind(*field.field)) {
    case NumberKind::kBoolean:
      return ScriptValue::of_truth(value != 0);
    case NumberKind::kDate:
      return ScriptValue::of_whole(date_ms(*field.field, value));
    case NumberKind::kInteger:
      return ScriptValue::of_whole(value);
    default:
      return ScriptValue::of(column_to_double(*field.field, value));
  }
}

/// As Java prints it.
ScriptValue Script::as_text(const ScriptValue& value) {
  switch (value.kind) {
    case Kind::kText:
      return value;
    case Kind::kTruth:
      return ScriptValue::of_text(value.whole != 0 ? "true" : "false");
    case Kind::kWhole:
      return make_text(std::to_string(value.whole));
    default:
      return make_text(script_number_text(value.number));
  }
}

bool Script::has_room(size_t bytes) {
  made_bytes_ += bytes;
  if (made_bytes_ <= kMostMade) return true;
  fail("the strings that it creates for one document take more than [" + std::to_string(kMostMade) +
       "] bytes: add fewer of them");
  return false;
}

ScriptValue Script::make_text(std::string text) {
  made_.push_back(std::move(text));
  return ScriptValue::of_text(made_.back());
}

ScriptValue Script::date_part(const ScriptField& field, ScriptDatePart part, uint32_t doc) {
  if (size_of(field, doc) == 0) return ScriptValue::of(0);
  const int64_t moment = date_ms(*field.field, field.column->value(doc));
  return ScriptValue::of(static_cast<double>(part_of_moment(part, moment)));
}

ScriptValue Script::reduce(const ScriptField& field, ScriptReduction reduction, uint32_t doc) {
  const uint32_t count = size_of(field, doc);
  if (count == 0) return ScriptValue::of(0);
  if (field.field->has_ordinals()) return fail("Field [" + field.field->name + "] must be numeric");
  const auto number = [&](uint32_t index) {
    return column_to_double(*field.field, field.column->value(doc, index));
  };
  switch (reduction) {
    case ScriptReduction::kMin:
      return ScriptValue::of(number(0));
    case ScriptReduction::kMax:
      return ScriptValue::of(number(count - 1));
    case ScriptReduction::kMedian:
      return ScriptValue::of(count % 2 == 1 ? number(count / 2)
                                            : (number(count / 2 - 1) + number(count / 2)) / 2);
    default:
      break;
  }
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += number(i);
  progress_.stop.step(count);
  return ScriptValue::of(reduction == ScriptReduction::kAvg ? sum / count : sum);
}

ScriptValue Script::compare_vectors(const ScriptInstruction& instruction, uint32_t doc) {
  const ScriptField& field = fields_[instruction.target];
  const uint32_t ordinal = field.vectors == nullptr ? kNoVector : field.vectors->ordinal(doc);
  if (ordinal == kNoVector) return fail("A document doesn't have a value for a vector field!");
  const float* row = field.vectors->row(ordinal);
  const bool unit = field.vectors->options().similarity == VectorSimilarity::kCosine;
  const double length = unit ? static_cast<double>(field.vectors->norm(ordinal)) : 1.0;
  double dot = 0;
  double own = 0;
  double other = 0;
  double squares = 0;
  double absolute = 0;
  for (size_t i = 0; i < instruction.vector.size(); i++) {
    const double a = static_cast<double>(row[i]) * length;
    const double b = static_cast<double>(instruction.vector[i]);
    dot += a * b;
    own += a * a;
    other += b * b;
    squares += (a - b) * (a - b);
    absolute += std::fabs(a - b);
  }
  switch (static_cast<ScriptVector>(instruction.function)) {
    case ScriptVector::kCosine:
      return ScriptValue::of(own == 0 || other == 0 ? 0 : dot / std::sqrt(own * other));
    case ScriptVector::kDot:
      return ScriptValue::of(dot);
    case ScriptVector::kL2:
      return ScriptValue::of(std::sqrt(squares));
    default:
      return ScriptValue::of(absolute);
  }
}

ScriptValue Script::combine(ScriptCode code, const ScriptValue& a, const ScriptValue& b) {
  if (a.is_text() && b.is_text()) {
    if (is_comparison(code)) return ScriptValue::of_truth(compare(code, a.text, b.text));
    if (code != ScriptCode::kAdd) return fail("strings can be compared and added, nothing else");
    if (!has_room(a.text.size() + b.text.size())) return ScriptValue::of_text({});
    return make_text(std::string(a.text) + std::string(b.text));
  }
  if (a.is_text() || b.is_text()) {
    if (code == ScriptCode::kAdd) return combine(code, as_text(a), as_text(b));
    return fail("a string and a number cannot be compared or computed with");
  }
  if (a.kind != Kind::kNumber && b.kind != Kind::kNumber)
    return combine_whole(code, a.whole, b.whole);
  if (is_comparison(code)) {
    return ScriptValue::of_truth(compare(code, a.as_number(), b.as_number()));
  }
  return ScriptValue::of(combine_numbers(code, a.as_number(), b.as_number()));
}

ScriptValue Script::combine_whole(ScriptCode code, int64_t a, int64_t b) {
  const auto left = static_cast<uint64_t>(a);
  const auto right = static_cast<uint64_t>(b);
  switch (code) {
    case ScriptCode::kAdd:
      return ScriptValue::of_whole(wrap(left + right));
    case ScriptCode::kSubtract:
      return ScriptValue::of_whole(wrap(left - right));
    case ScriptCode::kMultiply:
      return ScriptValue::of_whole(wrap(left * right));
    case ScriptCode::kDivide:
    case ScriptCode::kRemainder:
      if (b == 0) return fail("/ by zero");
      if (b == -1) return ScriptValue::of_whole(code == ScriptCode::kDivide ? wrap(0 - left) : 0);
      return ScriptValue::of_whole(code == ScriptCode::kDivide ? a / b : a % b);
    default:
      return ScriptValue::of_truth(compare(code, a, b));
  }
}

ScriptValue Script::call(ScriptCall function, const ScriptValue* args) {
  const uint32_t count = script_call_arity(function);
  bool whole = true;
  for (uint32_t i = 0; i < count; i++) {
    if (args[i].is_text()) return fail("a numeric function was given a string");
    whole = whole && args[i].kind == Kind::kWhole;
  }
  if (function == ScriptCall::kRound) {
    return ScriptValue::of_whole(to_whole(std::floor(args[0].as_number() + 0.5)));
  }
  if (whole && function == ScriptCall::kAbs) {
    const int64_t value = args[0].whole;
    return ScriptValue::of_whole(value < 0 ? wrap(0 - static_cast<uint64_t>(value)) : value);
  }
  if (whole && function == ScriptCall::kMax)
    return ScriptValue::of_whole(std::max(args[0].whole, args[1].whole));
  if (whole && function == ScriptCall::kMin)
    return ScriptValue::of_whole(std::min(args[0].whole, args[1].whole));
  return ScriptValue::of(count == 1 ? call_one(function, args[0].as_number())
                                    : call_several(function, args));
}

}  // namespace quarry
