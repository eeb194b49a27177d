import { decodedPart } from '../../lib/wordpress-text/formatting/uri-parts.js';
import { withoutEntities } from './compare-json.js';
import { diffPieces } from './diff-pieces.js';
import type { Difference } from './difference.js';
import {
  type ComparedRequest,
  isObject,
  isRecord,
  type JsonRecord,
  listMember,
  type ParsedResponse,
  partsOf,
} from './parsed-response.js';

/** Intended differences by their number in docs/behaviour/differences.md. */
export const KNOWN = {
  messages: 'The sentences of errors are our own; their codes are the same.',
  R1: "Lists show others' unpublished records to those only who may read them.",
  R2: 'A linked venue or organizer that the reader may not read is left out.',
  R3: '`include` lifts the date window of event lists.',
  R4: 'A search of venues or organizers without a match has the total 0.',
  R5: '`only_with_upcoming` looks at all events.',
  R6: 'Addresses in texts are not looked up for a preview.',
  R7: '`json_ld`: e-mail addresses in plain text, `validFrom` is the publication date, English prefixes.',
  R8: '`geoloc` works without an add-on.',
  R10: 'Words such as `Free` stay English.',
  R11: 'Records that tie in an order come by id.',
  R12: 'The path names the record; `id` and `slug` in the query do not.',
  R13: 'A filter by a record that the reader may not read is refused like an unknown id.',
  R14: 'What the reader may not open is not found by a search of its texts.',
  R16: 'Blocks that show other content of the site print nothing.',
  R18: 'A stored date that cannot be read is left out of `json_ld`.',
  R20: '`orderby` and `order` sort lists of events, venues and organizers.',
  W18: 'A list where one value is wanted is refused.',
  W23: 'Links of the interface are built on `REST_BASE_URL`, also on sites with plain links.',
  W24: 'Bodies, lists, texts and searches have limits.',
} as const;

/** The number of an intended difference. */
export type KnownId = keyof typeof KNOWN;

interface Circumstances {
  ask: ComparedRequest;
  /** Both responses; absent for a list of several pages. */
  old?: ParsedResponse;
  now?: ParsedResponse;
  /** Whether the request has credentials. */
  isSignedIn: boolean;
}

/** A difference with the number of the known difference that it is. */
export type KnownOrNewDifference = Difference & { known?: KnownId | undefined };

/** Marks the known ones among differences. */
export function judged(differences: readonly Difference[], around: Circumstances): KnownOrNewDifference[] {
  return differences.map((one) => ({ ...one, known: knownAs(one, around) }));
}

/** The number of an intended difference; undefined for other differences. */
export function knownAs(difference: Difference, circumstances: Circumstances): KnownId | undefined {
  return ofMember(difference) ?? ofRequest(difference, circumstances) ?? ofText(difference);
}

const isUnpublished = (value: unknown): boolean =>
  isRecord(value) && typeof value['status'] === 'string' && value['status'] !== 'publish';

/** Whether a record is locked by a password (docs/behaviour/visibility.md#passwords). */
function isMasked(value: unknown): boolean {
  if (!isRecord(value)) return false;
  if ('all_day' in value) return value['all_day'] === null;
  return [value['venue'], value['organizer']].some((name) => Array.isArray(name) && name.length === 0);
}

function ofMember({ of, path, sort, old, new: now, around }: Difference): KnownId | undefined {
  if (of === 'error' && path === 'message') return 'messages';
  if (sort === 'order' && path === 'ties') return 'R11';
  if (sort === 'missingLink' && of === 'event' && isUnpublished(old)) return 'R2';
  if (
    of === 'event' &&
    around &&
    /^json_ld\.(location|organizer)$/.test(path) &&
    (now === false || now === undefined)
  )
    return firstLinked(around.old, path.endsWith('location') ? 'venue' : 'organizer') ? 'R2' : undefined;
  if (/^json_ld\.offers\.validFrom$/.test(path)) return 'R7';
  if (typeof old !== 'string') return undefined;
  if (/^json_ld\.(startDate|endDate)$/.test(path) && now === undefined)
    return Math.abs(Date.parse(old) - Date.now()) < 26 * 3_600_000 ? 'R18' : undefined;
  if (typeof now !== 'string') return undefined;
  if (/(^|\.)email$/.test(path) && sort === 'entities') return 'R7';
  if (
    /^json_ld\.name$/.test(path) &&
    around &&
    (around.old['status'] === 'private' || isMasked(around.old) || now.startsWith('Protected: '))
  )
    return afterPrefix(old) === afterPrefix(now) ? 'R7' : undefined;
  if (of === 'event' && /^cost$/.test(path) && /\bFree\b/.test(now))
    return isTranslated(old, now) ? 'R10' : undefined;
  return undefined;
}

/** Whether the first linked record of an event in the old response is unreadable for visitors. */
function firstLinked(event: JsonRecord, member: string): boolean {
  const linked = event[member];
  return isUnpublished(Array.isArray(linked) ? linked[0] : linked);
}

const afterPrefix = (title: string): string => title.slice(title.indexOf(': ') + 1);

/** Whether costs differ only in a word without digits where ours says `Free`. */
function isTranslated(old: string, now: string): boolean {
  const [before = '', after = ''] = now.split('Free', 2);
  return (
    old.startsWith(before) &&
    old.endsWith(after) &&
    old.length > before.length + after.length &&
    !/[\d$€£]/.test(old.slice(before.length, old.length - after.length))
  );
}

function ofRequest(
  difference: Difference,
  { ask, old: before, now, isSignedIn }: Circumstances,
): KnownId | undefined {
  const { of, path, sort, old, new: given } = difference;
  const { query } = partsOf(ask.path);
  const list = listMember(ask.path);
  if (sort === 'status') return now && refused(`${old}`, now, query, before);
  if (list === undefined)
    return (query.has('id') || query.has('slug')) && sort !== 'failed' ? 'R12' : undefined;
  if (path.endsWith('rest_url') && sort === 'address' && areSameLinks(`${old}`, `${given}`)) return 'W23';
  if (of !== `${list} list`) return undefined;
  if (isSorted(list, query) && /^(order|missing|extra|address)$/.test(sort)) return 'R20';
  const isMembership =
    sort === 'missing' || sort === 'extra' || path.startsWith('total') || path.endsWith('rest_url');
  if (!isMembership) return undefined;
  if (list === 'events' && query.has('include')) return 'R3';
  if (list === 'events' && query.has('geoloc')) return 'R8';
  if (query.has('only_with_upcoming')) return 'R5';
  if (
    query.has('search') &&
    /^(venues|organizers)$/.test(list) &&
    isObject(now?.json) &&
    now.json['total'] === 0
  )
    return 'R4';
  if (sort !== 'missing') return undefined;
  if (isSignedIn && isUnpublished(old)) return 'R1';
  return query.has('search') && (isMasked(old) || isUnpublished(old)) ? 'R14' : undefined;
}

/** Whether the plugin would ignore the list's order. */
const isSorted = (list: string, query: URLSearchParams): boolean =>
  /^(events|venues|organizers)$/.test(list) && ['orderby', 'order'].some((name) => query.has(name));

/** Requests that Almanac rejects intentionally. */
function refused(
  old: string,
  { status, json }: ParsedResponse,
  query: URLSearchParams,
  before?: ParsedResponse,
): KnownId | undefined {
  if (!old.startsWith('200') || (status !== 400 && status !== 404)) return undefined;
  if (status === 404) return query.has('search') && Number(query.get('page')) > 1 ? 'R4' : undefined;
  const data = isObject(json) && isObject(json['data']) ? json['data'] : {};
  const names = isObject(data['params']) ? Object.keys(data['params']) : [];
  if (names.some((name) => [...query.keys()].some((key) => key.startsWith(`${name}[`)))) return 'W18';
  if (names.some((name) => (query.get(name) ?? '').length > 1000)) return 'W24';
  const filters = names.filter((name) => /^(venue|organizer|post_parent|event|post)$/.test(name));
  return filters.some((name) => !isShown(name, query, before?.json)) ? 'R13' : undefined;
}

/** Whether the old response shows all records of a filter as published, so that the reader may read them. */
function isShown(filter: string, query: URLSearchParams, old: unknown): boolean {
  const ids = [...query].flatMap(([key, value]) => (key.split('[', 1)[0] === filter ? value.split(',') : []));
  const events = isObject(old) && Array.isArray(old['events']) ? old['events'].filter(isRecord) : [];
  const linked = events.flatMap((event) => event[filter]).filter(isRecord);
  const published = new Set(linked.filter((one) => !isUnpublished(one)).map(({ id }) => `${id}`));
  return ids.length > 0 && ids.every((id) => published.has(id.trim()));
}

/** Whether two URLs are equal if one of them uses `rest_route`. */
function areSameLinks(old: string, now: string): boolean {
  const canonical = (link: string) => {
    const { query, route } = partsOf(
      link.includes('rest_route=')
        ? link.replace(/[?&]rest_route=([^&]*)&?/, (_, inner) => `${decodedPart(inner)}?`)
        : link,
    );
    return `${route.replace(/^.*?(\/\w+\/events\/v1)/, '$1')}?${query}`;
  };
  return old.includes('rest_route=') && canonical(old) === canonical(now);
}

const PREVIEW = /<(iframe|blockquote|script)\b|class="[^"]*\b(embed|oembed)/;
const OTHER_CONTENT =
  /class="[^"]*\bwp-block-(latest-posts|latest-comments|archives|categories|calendar|tag-cloud|rss|search|page-list|query|navigation|post-|site-|loginout|comments|read-more|term-|avatar)/;

/** Rendered texts that differ only in embeds of other sites (R6) and dynamic blocks (R16). */
function ofText({ sort, old, new: now }: Difference): KnownId | undefined {
  if (sort !== 'text' || typeof old !== 'string' || typeof now !== 'string') return undefined;
  if (!PREVIEW.test(old) && !OTHER_CONTENT.test(old)) return undefined;
  const found = diffPieces(old, now)?.map(([before, after]): KnownId | undefined => {
    if (OTHER_CONTENT.test(before) && withoutTags(after) === '') return 'R16';
    return PREVIEW.test(before) && /^https?:\/\/\S+$/.test(withoutTags(after)) ? 'R6' : undefined;
  });
  return found?.every((id) => id !== undefined) ? found[0] : undefined;
}

const withoutTags = (html: string): string => withoutEntities(html.replace(/<[^>]*>/g, '')).trim();
