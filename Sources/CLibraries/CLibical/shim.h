// libical, the reader and writer of iCalendar.
//
// It is loaded when a calendar is read or written, and not linked: it brings the ICU libraries along, which would add six
// milliseconds to the start of every command. Each function used is a wrapper that looks the real one up by its name, with
// the type the header gives it.
#ifndef REVEILLE_CLIBICAL_H
#define REVEILLE_CLIBICAL_H
#include <dlfcn.h>
#include <libical/ical.h>
#include <stdlib.h>

// The library, or NULL where it is not installed. It is never closed.
static inline void *reveille_ical_library(void) {
  static void *handle = 0;
  if (!handle) handle = dlopen("libical.so.3", RTLD_NOW | RTLD_LOCAL);
  return handle;
}

// A missing symbol ends the process: a libical.so.3 without one of these is none.
static inline void *reveille_ical_symbol(const char *name) {
  void *library = reveille_ical_library();
  void *symbol = library ? dlsym(library, name) : 0;
  if (!symbol) abort();
  return symbol;
}

#define REVEILLE_ICAL(name)                                        \
  static __typeof__(&name) function = 0;                           \
  if (!function) function = (__typeof__(&name))reveille_ical_symbol(#name)

// True where the library is there. What it finds wrong in a file is told by its answers, and does not end the process.
static inline int reveille_ical_load(void) {
  if (!reveille_ical_library()) return 0;
  REVEILLE_ICAL(icalerror_set_errors_are_fatal);
  function(0);
  return 1;
}

// MARK: Components

static inline icalcomponent *reveille_ical_parse(const char *text) {
  REVEILLE_ICAL(icalparser_parse_string);
  return function(text);
}
static inline icalcomponent *reveille_ical_component(icalcomponent_kind kind) {
  REVEILLE_ICAL(icalcomponent_new);
  return function(kind);
}
static inline void reveille_ical_free(icalcomponent *component) {
  REVEILLE_ICAL(icalcomponent_free);
  function(component);
}
static inline icalcomponent_kind reveille_ical_kind(const icalcomponent *component) {
  REVEILLE_ICAL(icalcomponent_isa);
  return function(component);
}
static inline icalcomponent *reveille_ical_first_inner(icalcomponent *component, icalcomponent_kind kind) {
  REVEILLE_ICAL(icalcomponent_get_first_component);
  return function(component, kind);
}
static inline icalcomponent *reveille_ical_next_inner(icalcomponent *component, icalcomponent_kind kind) {
  REVEILLE_ICAL(icalcomponent_get_next_component);
  return function(component, kind);
}
static inline void reveille_ical_add_inner(icalcomponent *component, icalcomponent *inner) {
  REVEILLE_ICAL(icalcomponent_add_component);
  function(component, inner);
}
static inline void reveille_ical_add(icalcomponent *component, icalproperty *property) {
  REVEILLE_ICAL(icalcomponent_add_property);
  function(component, property);
}
// To be freed with `free`.
static inline char *reveille_ical_text_of_component(icalcomponent *component) {
  REVEILLE_ICAL(icalcomponent_as_ical_string_r);
  return function(component);
}

// MARK: Properties

static inline icalproperty *reveille_ical_first(icalcomponent *component, icalproperty_kind kind) {
  REVEILLE_ICAL(icalcomponent_get_first_property);
  return function(component, kind);
}
static inline icalproperty *reveille_ical_next(icalcomponent *component, icalproperty_kind kind) {
  REVEILLE_ICAL(icalcomponent_get_next_property);
  return function(component, kind);
}
static inline icalproperty_kind reveille_ical_property_kind(icalproperty *property) {
  REVEILLE_ICAL(icalproperty_isa);
  return function(property);
}
// The library's own, good as long as the property is.
static inline const char *reveille_ical_name(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_property_name);
  return function(property);
}
static inline icalproperty *reveille_ical_property(icalproperty_kind kind) {
  REVEILLE_ICAL(icalproperty_new);
  return function(kind);
}
// `kind`: "NO" for the property's own kind of value.
static inline void reveille_ical_set(icalproperty *property, const char *value, const char *kind) {
  REVEILLE_ICAL(icalproperty_set_value_from_string);
  function(property, value, kind);
}
static inline void reveille_ical_set_value(icalproperty *property, icalvalue *value) {
  REVEILLE_ICAL(icalproperty_set_value);
  function(property, value);
}
static inline icalvalue *reveille_ical_text_value(const char *text) {
  REVEILLE_ICAL(icalvalue_new_text);
  return function(text);
}
static inline icalvalue *reveille_ical_x_value(const char *text) {
  REVEILLE_ICAL(icalvalue_new_x);
  return function(text);
}
static inline void reveille_ical_set_name(icalproperty *property, const char *name) {
  REVEILLE_ICAL(icalproperty_set_x_name);
  function(property, name);
}
static inline void reveille_ical_set_parameter(icalproperty *property, const char *name, const char *value) {
  REVEILLE_ICAL(icalproperty_set_parameter_from_string);
  function(property, name, value);
}
// To be freed with `free`; NULL where there is no such parameter.
static inline char *reveille_ical_parameter(icalproperty *property, const char *name) {
  REVEILLE_ICAL(icalproperty_get_parameter_as_string_r);
  return function(property, name);
}
// As it stands in the file, to be freed with `free`.
static inline char *reveille_ical_value(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_value_as_string_r);
  return function(property);
}
// A text without its escapes, the library's own; NULL where the value is no text.
static inline const char *reveille_ical_plain_text(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_value);
  icalvalue *value = function(property);
  if (!value) return 0;
  __typeof__(&icalvalue_isa) kind = (__typeof__(&icalvalue_isa))reveille_ical_symbol("icalvalue_isa");
  if (kind(value) != ICAL_TEXT_VALUE) return 0;
  __typeof__(&icalvalue_get_text) text =
      (__typeof__(&icalvalue_get_text))reveille_ical_symbol("icalvalue_get_text");
  return text(value);
}
static inline struct icaltriggertype reveille_ical_trigger(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_trigger);
  return function(property);
}
static inline struct icaldurationtype reveille_ical_duration(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_duration);
  return function(property);
}

// MARK: Rules of recurrence

// The arrays are tuples of hundreds of members in Swift, so their values are read one by one.
enum reveille_ical_part {
  REVEILLE_BY_SECOND, REVEILLE_BY_MINUTE, REVEILLE_BY_HOUR, REVEILLE_BY_DAY, REVEILLE_BY_MONTH_DAY,
  REVEILLE_BY_YEAR_DAY, REVEILLE_BY_WEEK_NUMBER, REVEILLE_BY_MONTH, REVEILLE_BY_POSITION
};
static inline struct icalrecurrencetype reveille_ical_rule(const icalproperty *property) {
  REVEILLE_ICAL(icalproperty_get_rrule);
  return function(property);
}
// Value `index` of a part, or ICAL_RECURRENCE_ARRAY_MAX behind the last.
static inline int reveille_ical_part_value(
    const struct icalrecurrencetype *rule, enum reveille_ical_part part, int index) {
#define REVEILLE_PART(name, array)                                                        \
  case name:                                                                              \
    return index < (int)(sizeof rule->array / sizeof rule->array[0]) ? rule->array[index] \
                                                                     : ICAL_RECURRENCE_ARRAY_MAX
  switch (part) {
    REVEILLE_PART(REVEILLE_BY_SECOND, by_second);
    REVEILLE_PART(REVEILLE_BY_MINUTE, by_minute);
    REVEILLE_PART(REVEILLE_BY_HOUR, by_hour);
    REVEILLE_PART(REVEILLE_BY_DAY, by_day);
    REVEILLE_PART(REVEILLE_BY_MONTH_DAY, by_month_day);
    REVEILLE_PART(REVEILLE_BY_YEAR_DAY, by_year_day);
    REVEILLE_PART(REVEILLE_BY_WEEK_NUMBER, by_week_no);
    REVEILLE_PART(REVEILLE_BY_MONTH, by_month);
    REVEILLE_PART(REVEILLE_BY_POSITION, by_set_pos);
  }
  return ICAL_RECURRENCE_ARRAY_MAX;
#undef REVEILLE_PART
}
// 1 is Sunday; and 0 for any, 1 for the first, -1 for the last.
static inline int reveille_ical_weekday(short day) {
  REVEILLE_ICAL(icalrecurrencetype_day_day_of_week);
  return function(day);
}
static inline int reveille_ical_position(short day) {
  REVEILLE_ICAL(icalrecurrencetype_day_position);
  return function(day);
}

// MARK: Recurrences one by one, the measure for our own in tests

static inline struct icalrecurrencetype reveille_ical_rule_of(const char *text) {
  REVEILLE_ICAL(icalrecurrencetype_from_string);
  return function(text);
}
static inline struct icaltimetype reveille_ical_time(const char *text) {
  REVEILLE_ICAL(icaltime_from_string);
  return function(text);
}
static inline icalrecur_iterator *reveille_ical_iterator(
    struct icalrecurrencetype rule, struct icaltimetype start) {
  REVEILLE_ICAL(icalrecur_iterator_new);
  return function(rule, start);
}
static inline struct icaltimetype reveille_ical_next_time(icalrecur_iterator *iterator) {
  REVEILLE_ICAL(icalrecur_iterator_next);
  return function(iterator);
}
static inline void reveille_ical_free_iterator(icalrecur_iterator *iterator) {
  REVEILLE_ICAL(icalrecur_iterator_free);
  function(iterator);
}

// Seconds since 1970 at which the wall of one of libical's own zones (by its name) shows that time; -1 without the zone.
static inline long long reveille_ical_instant(struct icaltimetype time, const char *zone_name) {
  REVEILLE_ICAL(icaltime_as_timet_with_zone);
  __typeof__(&icaltimezone_get_builtin_timezone) find =
      (__typeof__(&icaltimezone_get_builtin_timezone))reveille_ical_symbol("icaltimezone_get_builtin_timezone");
  icaltimezone *zone = find(zone_name);
  return zone ? (long long)function(time, zone) : -1;
}

// MARK: Zones

// Takes the component, which is freed with the zone. NULL where it is no zone.
static inline icaltimezone *reveille_ical_zone(icalcomponent *component) {
  REVEILLE_ICAL(icaltimezone_new);
  icaltimezone *zone = function();
  if (!zone) return 0;
  __typeof__(&icaltimezone_set_component) set =
      (__typeof__(&icaltimezone_set_component))reveille_ical_symbol("icaltimezone_set_component");
  if (set(zone, component)) return zone;
  __typeof__(&icaltimezone_free) release =
      (__typeof__(&icaltimezone_free))reveille_ical_symbol("icaltimezone_free");
  release(zone, 1);
  return 0;
}
static inline void reveille_ical_free_zone(icaltimezone *zone) {
  REVEILLE_ICAL(icaltimezone_free);
  function(zone, 1);
}
// Seconds east of UTC at an instant (seconds since 1970).
static inline int reveille_ical_offset(icaltimezone *zone, long long seconds) {
  REVEILLE_ICAL(icaltimezone_get_utc_offset_of_utc_time);
  __typeof__(&icaltime_from_timet_with_zone) make =
      (__typeof__(&icaltime_from_timet_with_zone))reveille_ical_symbol("icaltime_from_timet_with_zone");
  __typeof__(&icaltimezone_get_utc_timezone) utc =
      (__typeof__(&icaltimezone_get_utc_timezone))reveille_ical_symbol("icaltimezone_get_utc_timezone");
  struct icaltimetype time = make((time_t)seconds, 0, utc());
  int is_daylight = 0;
  return function(zone, &time, &is_daylight);
}
#endif
