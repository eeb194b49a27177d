"""Expands the events of calendar files with python3-icalendar (lines) and python3-dateutil (rules, VTIMEZONE).

Reads JSON: {"zone": of times without one, "limit": dates per event, "files": [text, ...]}. Writes for each file a list
with an entry for each VEVENT without RECURRENCE-ID, in the order of the file: {"uid", "dates": ["start/end", ...]} or
{"uid", "error"}. Times are UTC instants, `20270301T170000Z`, days `20270301`; dates are those from two years before
DTSTART to five years after it. Run with /usr/bin/python3. Choices that RFC 5545 leaves open are those of
docs/recurrence.md, such as that a DTSTART outside of its RRULE is no date.
"""

import json
import re
import sys
import warnings
from datetime import datetime, timedelta, timezone
from io import StringIO
from itertools import islice
from zoneinfo import ZoneInfo

import icalendar
from dateutil.rrule import rrulestr
from dateutil.tz import tzical
from icalendar.parser import Contentlines
from icalendar.windows_to_olson import WINDOWS_TO_OLSON

warnings.simplefilter("ignore")
UTC = timezone.utc
# dateutil looks for dates up to the year 9999.
MOST = 100_000


class Component:
    def __init__(self, name):
        self.name, self.lines, self.inner = name, [], []

    def all(self, name):
        return [(params, value) for one, params, value in self.lines if one == name and value.strip()]

    def first(self, name):
        return next(iter(self.all(name)), None)


def components(text):
    """The components of a file below one root; lines that icalendar cannot split are left out."""
    root = Component("")
    stack = [root]
    for line in Contentlines.from_ical(text.lstrip("\ufeff")):
        if not line.strip():
            continue
        try:
            name, params, value = line.parts()
        except Exception:
            continue
        name = name.upper()
        if name == "BEGIN":
            inner = Component(value.strip().upper())
            stack[-1].inner.append(inner)
            stack.append(inner)
        elif name == "END":
            names = [one.name for one in stack]
            if value.strip().upper() in names:
                del stack[names.index(value.strip().upper()) :]
        else:
            stack[-1].lines.append((name, params, value))
    return root


def named_zone(name):
    name = name.strip('"').strip()
    parts = [part for part in name.split("/") if part]
    tries = [name, WINDOWS_TO_OLSON.get(name)]
    tries += ["/".join(parts[-count:]) for count in (3, 2, 1) if count < len(parts) or name.startswith("/")]
    for one in tries:
        try:
            if one and "/" in one or one in ("UTC", "GMT"):
                return ZoneInfo(one)
        except Exception:
            pass
    return None


class DescribedZone:
    """A VTIMEZONE by dateutil; before its first onset the zone of its name, else the first TZOFFSETFROM."""

    def __init__(self, component, named):
        self.named = named
        lines = ["BEGIN:VTIMEZONE", "TZID:x"]
        firsts = []
        for one in component.inner:
            start = one.first("DTSTART")[1].strip()
            offset = self.seconds(one.first("TZOFFSETFROM")[1].strip())
            firsts.append((datetime.strptime(start[:15], "%Y%m%dT%H%M%S"), offset))
            lines += [f"BEGIN:{one.name}", f"DTSTART:{start[:15]}"]
            for name in ("TZOFFSETFROM", "TZOFFSETTO"):
                lines.append(f"{name}:{one.first(name)[1].strip()}")
            for _, value in one.all("RDATE"):
                lines += [f"RDATE:{date.split('/')[0]}" for date in value.split(",")]
            for _, value in one.all("RRULE"):
                # dateutil reads an UNTIL in UTC as wall clock time.
                lines.append("RRULE:" + until_on_wall(value.upper(), lambda at: at + timedelta(seconds=offset)))
            lines.append(f"END:{one.name}")
        lines.append("END:VTIMEZONE")
        self.zone = tzical(StringIO("\r\n".join(lines) + "\r\n")).get("x")
        self.first, offset = min(firsts)
        offsets = [one.first(name)[1].strip() for one in component.inner for name in ("TZOFFSETTO", "TZOFFSETFROM")]
        self.offsets = [timedelta(seconds=self.seconds(one)) for one in dict.fromkeys(offsets)]
        self.before = timezone(timedelta(seconds=offset))

    @staticmethod
    def seconds(text):
        sign, digits = (-1 if text[0] == "-" else 1), text.lstrip("+-")
        parts = [int(digits[at : at + 2]) for at in range(0, len(digits), 2)]
        return sign * sum(part * unit for part, unit in zip(parts, (3600, 60, 1)))

    def to_utc(self, wall):
        if wall < self.first:
            return instant(wall, self.named or self.before)
        offset = self.offset(wall)
        # In a gap the offset before it counts.
        before = [one for one in self.offsets if one < offset and self.offset(wall - (offset - one)) == one]
        first = self.before.utcoffset(None)
        if first < offset and wall - (offset - first) < self.first:
            before = [first]
        return wall.replace(tzinfo=UTC) - (before[0] if before else offset)

    def offset(self, wall):
        return wall.replace(tzinfo=self.zone).utcoffset()

    def to_wall(self, at):
        """The wall time of an instant: the one of those around it that leads back."""
        plain = at.replace(tzinfo=None)
        early = at.astimezone(self.named or self.before).replace(tzinfo=None)
        if early < self.first and self.to_utc(early) == at:
            return early
        walls = [plain + offset for offset in self.offsets]
        fits = [wall for wall in walls if self.to_utc(wall) == at]
        if fits:
            return max(fits)
        # The second of two wall times.
        for wall in walls:
            late = wall.replace(tzinfo=self.zone, fold=1)
            if wall.replace(tzinfo=UTC) - late.utcoffset() == at:
                return wall
        return walls[0]


class NamedZone:
    def __init__(self, zone):
        self.zone = zone

    def to_utc(self, wall):
        return instant(wall, self.zone)

    def to_wall(self, at):
        return at.astimezone(self.zone).replace(tzinfo=None)


def instant(wall, zone):
    return wall.replace(tzinfo=zone).astimezone(UTC)


class Zones:
    def __init__(self, calendar, local):
        given = calendar.first("X-WR-TIMEZONE")
        self.local = NamedZone((given and named_zone(given[1])) or ZoneInfo(local))
        self.known = {}
        for one in calendar.inner:
            if one.name == "VTIMEZONE" and one.first("TZID"):
                self.known.setdefault(one.first("TZID")[1].strip(), one)

    def find(self, name):
        found = self.known.get(name.strip())
        named = named_zone(name)
        if isinstance(found, Component):
            try:
                found = DescribedZone(found, named)
            except Exception:
                found = None
            self.known[name.strip()] = found
        if not found and not named:
            raise ValueError(f"unknown zone {name}")
        return found or NamedZone(named)


DATE = re.compile(r"^(\d{8})(?:T(\d{6})(Z)?)?$")


def parse_date(text, params, zones):
    """A date, or a wall time with its zone; None for the zone of the series."""
    match = DATE.match(text.strip().upper())
    if not match:
        raise ValueError(f"{text} is no date")
    day, time, utc = match.groups()
    if not time:
        return datetime.strptime(day, "%Y%m%d").date(), None
    wall = datetime.strptime(day + time, "%Y%m%d%H%M%S")
    if utc:
        return wall, NamedZone(UTC)
    return wall, zones.find(params["TZID"]) if "TZID" in params else None


def until_on_wall(rule, convert):
    def replaced(match):
        at = datetime.strptime(match.group(1), "%Y%m%dT%H%M%SZ")
        return "UNTIL=" + convert(at).strftime("%Y%m%dT%H%M%S")

    return re.sub(r"UNTIL=(\d{8}T\d{6}Z)", replaced, rule)


def duration_of(text):
    # Negative ones are refused.
    match = re.match(r"^\+?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$", text.strip().upper())
    if not match or text.strip()[-1] in "PT":
        raise ValueError(f"{text} is no duration")
    weeks, days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return weeks * 7 + days, timedelta(hours=hours, minutes=minutes, seconds=seconds)


class Event:
    def __init__(self, component, zones):
        self.zones = zones
        if not component.first("DTSTART"):
            raise ValueError("no DTSTART")
        params, value = component.first("DTSTART")
        self.start, zone = parse_date(value, params, zones)
        self.zone = zone or zones.local
        self.is_day = not isinstance(self.start, datetime)
        self.length = self.length_of(component)

    def length_of(self, component):
        """Nominal days and exact time from the start to the end; an end of the other kind is left out."""
        end, given = component.first("DTEND"), component.first("DURATION")
        if end:
            try:
                at, zone = parse_date(end[1], end[0], self.zones)
            except ValueError:
                at = None
            if at is not None and isinstance(at, datetime) != self.is_day:
                if self.is_day:
                    return self.whole_days((at - self.start).days)
                exact = (zone or self.zone).to_utc(at) - self.zone.to_utc(self.start)
                if exact < timedelta(0):
                    raise ValueError("the end is before the start")
                return 0, exact
        if given:
            days, time = duration_of(given[1])
            if self.is_day:
                return self.whole_days(days + -(-time // timedelta(days=1)))
            return days, time
        return (1 if self.is_day else 0), timedelta(0)

    @staticmethod
    def whole_days(days):
        if days < 0:
            raise ValueError("the end is before the start")
        return max(1, days), timedelta(0)

    def key(self, text, params):
        """The start that a date names: a day, or an instant."""
        at, zone = parse_date(text, params, self.zones)
        if self.is_day:
            if not isinstance(at, datetime):
                return at
            if zone is None or at.time() == datetime.min.time():
                return at.date()
            return self.zone.to_wall(zone.to_utc(at)).date()
        if not isinstance(at, datetime):
            at, zone = datetime.combine(at, self.start.time()), None
        return (zone or self.zone).to_utc(at)

    def wall(self, key):
        return key if self.is_day else self.zone.to_wall(key)

    def end(self, key, length):
        days, time = length
        if self.is_day:
            return key + timedelta(days=days)
        if days:
            key = self.zone.to_utc(self.wall(key) + timedelta(days=days))
        return key + time

    def rule_keys(self, rule, last):
        text = rule.upper().replace(" ", "").rstrip(";")
        start = datetime.combine(self.start, datetime.min.time()) if self.is_day else self.start
        until = re.search(r"UNTIL=(\d{8})(T\d{6})?(Z)?(?=;|$)", text)
        end = None
        if until:
            text = text.replace(until.group(0), "").replace(";;", ";").strip(";")
            at, _ = parse_date("".join(part or "" for part in until.groups()), {}, self.zones)
            if self.is_day:
                end = self.key("".join(part or "" for part in until.groups()), {})
            elif not isinstance(at, datetime):
                end = self.zone.to_utc(datetime.combine(at, datetime.max.time().replace(microsecond=0)))
            else:
                end = (NamedZone(UTC) if until.group(3) else self.zone).to_utc(at)
        if self.is_day:
            text = re.sub(r";?BY(HOUR|MINUTE|SECOND)=[^;]*", "", text)
        for wall in islice(rrulestr(text, dtstart=start), MOST):
            key = wall.date() if self.is_day else self.zone.to_utc(wall)
            if (end is not None and key > end and self.wall_of(key) >= wall) or wall > last:
                return
            if end is None or key <= end:
                yield key

    def wall_of(self, key):
        return datetime.combine(key, datetime.min.time()) if self.is_day else self.zone.to_wall(key)


def cancelled(component):
    status = component.first("STATUS")
    return bool(status) and status[1].strip().upper() == "CANCELLED"


def expand(component, changes, zones, limit):
    event = Event(component, zones)
    plain = event.start if event.is_day else event.start.replace(tzinfo=None)
    begin = datetime.combine(plain, datetime.min.time()) if event.is_day else plain
    first, last = begin - timedelta(days=2 * 366), begin + timedelta(days=5 * 366)
    own = event.start if event.is_day else event.zone.to_utc(event.start)
    keys = {}
    for _, rule in component.all("RRULE"):
        keys.update(dict.fromkeys(event.rule_keys(rule, last)))
    if not component.all("RRULE"):
        keys[own] = None
    for params, value in component.all("RDATE"):
        for text in filter(str.strip, value.split(",")):
            if "/" not in text:
                keys.setdefault(event.key(text, params), None)
                continue
            begins, ends = text.split("/")
            key = event.key(begins, params)
            if keys.get(key):
                continue
            if ends.strip().upper().lstrip("+").startswith("P"):
                keys[key] = duration_of(ends)
            else:
                keys[key] = (0, event.key(ends, params) - key)
    for params, value in component.all("EXDATE"):
        for text in filter(str.strip, value.split(",")):
            at, _ = parse_date(text, params, zones)
            if not isinstance(at, datetime) and not event.is_day:
                keys = {key: length for key, length in keys.items() if event.wall(key).date() != at}
            else:
                keys.pop(event.key(text, params), None)
    for _, rule in component.all("EXRULE"):
        for key in event.rule_keys(rule, last):
            keys.pop(key, None)
    dates = [(key, event.end(key, length or event.length)) for key, length in keys.items()]
    lengths = dict(keys)
    revisions = {}
    for change in changes:
        params, value = change.first("RECURRENCE-ID")
        key = event.key(value, params)
        number = change.first("SEQUENCE")
        number = int(number[1]) if number and number[1].strip().isdigit() else 0
        if key not in revisions or revisions[key][0] <= number:
            revisions[key] = (number, change, params.get("RANGE", "").upper() == "THISANDFUTURE")
    changed = []
    ranges = sorted(key for key, (_, _, is_range) in revisions.items() if is_range)
    for key, (_, change, _) in revisions.items():
        at, _ = parse_date(change.first("RECURRENCE-ID")[1], change.first("RECURRENCE-ID")[0], zones)
        dates = [one for one in dates if one[0] != key]
        if not isinstance(at, datetime) and not event.is_day:
            dates = [one for one in dates if event.wall(one[0]).date() != at]
        if cancelled(change):
            continue
        other = Event(change, zones) if change.first("DTSTART") else None
        if other is None:
            changed.append((key, event.end(key, event.length)))
            continue
        begins = other.start if other.is_day else other.zone.to_utc(other.start)
        changed.append((begins, other.end(begins, other.length)))
    kept = []
    for key, end in dates:
        before = [one for one in ranges if one <= key]
        if not before:
            kept.append((key, end))
            continue
        change = revisions[before[-1]][1]
        if cancelled(change):
            continue
        other = Event(change, zones) if change.first("DTSTART") else event
        begins = other.start if other.is_day else other.zone.to_utc(other.start)
        if not change.first("DTSTART"):
            begins = before[-1]
        shift = event.wall(begins) - event.wall(before[-1])
        moved = event.wall(key) + shift
        moved = moved if event.is_day else event.zone.to_utc(moved)
        kept.append((moved, event.end(moved, lengths[key] or other.length)))
    found = []
    for begins, ends in kept + changed:
        wall = begins if not isinstance(begins, datetime) else event.zone.to_wall(begins)
        at = datetime.combine(wall, datetime.min.time()) if not isinstance(wall, datetime) else wall
        if first <= at <= last:
            found.append(f"{text_of(begins)}/{text_of(ends)}")
    return sorted(found)[:limit]


def text_of(at):
    return at.strftime("%Y%m%dT%H%M%SZ") if isinstance(at, datetime) else at.strftime("%Y%m%d")


def events_of(text, local, limit):
    root = components(text)
    calendars = [one for one in root.inner if one.name == "VCALENDAR"] or [root]
    found = []
    for calendar in calendars:
        zones = Zones(calendar, local)
        events = [one for one in calendar.inner if one.name == "VEVENT"]
        for event in events:
            if event.all("RECURRENCE-ID"):
                continue
            uid = (event.first("UID") or ({}, ""))[1]
            changes = [one for one in events if one.all("RECURRENCE-ID") and uid and (one.first("UID") or ({}, ""))[1] == uid]
            try:
                found.append({"uid": uid, "dates": expand(event, changes, zones, limit)})
            except Exception as error:
                found.append({"uid": uid, "error": f"{type(error).__name__}: {error}"[:200]})
    return found


def main():
    given = json.load(sys.stdin)
    found = []
    for text in given["files"]:
        try:
            found.append(events_of(text, given["zone"], given["limit"]))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}"[:200])
    json.dump({"icalendar": icalendar.__version__, "files": found}, sys.stdout)


if __name__ == "__main__":
    main()
