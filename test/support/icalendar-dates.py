"""Reads a calendar file, writes the dates of its events between two days as JSON, `start – end title`, in order.

icalendar reads the properties, dateutil computes rules on the wall clock, the zone makes instants of the results.
"""

import datetime
import json
import sys

import icalendar
from dateutil.rrule import rruleset, rrulestr

first, last = sys.argv[1:3]


def said(at):
    if not isinstance(at, datetime.datetime):
        return str(at)
    return at.astimezone(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M")


def dates_in(event, name):
    found = event.get(name, [])
    return [one.dt for each in (found if isinstance(found, list) else [found]) for one in each.dts]


def starts_of(event):
    """The starts of a series up to the last day, as its DTSTART is written."""
    start = event["DTSTART"].dt
    zone = getattr(start, "tzinfo", None)
    is_day = not isinstance(start, datetime.datetime)

    def wall(at):
        if is_day:
            assert not isinstance(at, datetime.datetime), at
            return datetime.datetime.combine(at, datetime.time())
        return at.astimezone(zone).replace(tzinfo=None)

    def instant(at):
        return at.date() if is_day else zone.localize(at)

    dates = rruleset()
    rule = event.get("RRULE")
    if rule:
        text = rule.to_ical().decode()
        until = rule.get("UNTIL")
        if until:
            text = ";".join(part for part in text.split(";") if not part.startswith("UNTIL="))
            assert isinstance(until[0], datetime.datetime) != is_day, until
            assert is_day or until[0].utcoffset() == datetime.timedelta(0), until
            text += ";UNTIL=" + wall(until[0]).strftime("%Y%m%dT%H%M%S")
        dates.rrule(rrulestr(text, dtstart=wall(start)))
    else:
        dates.rdate(wall(start))
    for at in dates_in(event, "RDATE"):
        dates.rdate(wall(at))
    for at in dates_in(event, "EXDATE"):
        dates.exdate(wall(at))
    for at in dates:
        if str(at.date()) > last:
            return
        yield instant(at)


def end_of(event):
    start = event["DTSTART"].dt
    if "DTEND" in event:
        return event["DTEND"].dt
    if "DURATION" in event:
        return start + event["DURATION"].dt
    return start if isinstance(start, datetime.datetime) else start + datetime.timedelta(days=1)


found = []
events = icalendar.Calendar.from_ical(sys.stdin.buffer.read()).walk("VEVENT")
changed = {(str(e["UID"]), said(e["RECURRENCE-ID"].dt)) for e in events if "RECURRENCE-ID" in e}
for event in events:
    assert not event.errors, event.errors
    length = end_of(event) - event["DTSTART"].dt
    uid, title = str(event["UID"]), str(event.get("SUMMARY", ""))
    if "RECURRENCE-ID" in event:
        starts = [event["DTSTART"].dt]
    else:
        starts = [at for at in starts_of(event) if (uid, said(at)) not in changed]
    found += [f"{said(at)} – {said(at + length)} {title}" for at in starts]
json.dump(sorted(one for one in found if first <= one[:10] <= last), sys.stdout)
