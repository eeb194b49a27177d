/** Compares a recorded response with an actual one, ignoring clock readings, new ids and prose. */
const DATETIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/**
 * The run that a response belongs to.
 *
 * @typedef {object} Run
 * @property {Map<string, string>} ids Names of captured ids.
 * @property {[from: string, to: string][]} replace URLs and their placeholders.
 * @property {number} offsetMs Offset of the site's time zone from UTC.
 * @property {number} nowMs Start of the recording.
 * @property {number} serverMs Time of the response's Date header.
 */

/**
 * Replaces clock readings, new ids and hosts, which differ from run to run; `key` is the field of the value.
 *
 * @param {unknown} value
 * @param {Run} run
 */
export function normalise(value, run, key = '') {
  if (Array.isArray(value)) return value.map((item) => normalise(item, run, key));
  if (value && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        normaliseString(name, run),
        name === 'email' && typeof item === 'string' ? decodeReferences(item) : normalise(item, run, name),
      ]),
    );
  if (typeof value === 'number' && run.ids.has(String(value))) return `{#${run.ids.get(String(value))}}`;
  if (typeof value === 'number' && isNew(value) && /(^|_)id$|parent|author/i.test(key)) return '{#new}';
  if (typeof value === 'string') return normaliseString(value, run, key);
  return value;
}

/** Recorded databases assign ids from 700,001 (posts) and 800,001 (terms), which identifies new records. */
const isNew = (number) => number > 700000 && number < 900000;

/** Email addresses may contain random character references. */
const decodeReferences = (text) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));

/**
 * Whether an instant is "now": within two minutes of the response's Date header or, where that header uses another
 * clock, within eight hours of the recorded start.
 */
function isNow(ms, { serverMs, nowMs }) {
  const near = serverMs && Math.abs(serverMs - nowMs) < 9 * 3600e3;
  return near ? Math.abs(ms - serverMs) <= 120e3 : ms >= nowMs && ms < nowMs + 8 * 3600e3;
}

function normaliseString(sent, run, key = '') {
  // The shortest value that can be replaced is an id.
  if (sent.length < 6) return sent;
  let text = sent;
  if (text.includes('include=')) text = text.replace(/([?&](?:start|end)_date=)[^&]*/g, '$1*');
  if (DATETIME.test(text)) {
    const ms = Date.parse(`${text.replace(' ', 'T')}Z`);
    return isNow(ms - (/_(utc|gmt)$/.test(key) ? 0 : run.offsetMs), run) ? '{now}' : text;
  }
  if (/^\d{10}$/.test(text) && isNow(Number(text) * 1000, run)) return '{now}';
  for (const [from, to] of run.replace) text = text.replaceAll(from, to);
  return text.replace(/(?<!\d)\d{6}(?!\d)/g, (id) =>
    run.ids.has(id) ? `{${run.ids.get(id)}}` : isNew(Number(id)) ? '{new}' : id,
  );
}

/** The compared parts of a response body, without prose of errors and documents. */
export function project(kind, status, body) {
  if (status >= 400 && body && typeof body === 'object' && 'code' in body) {
    const { status: said = null, params } = body.data && typeof body.data === 'object' ? body.data : {};
    const names = params && (Array.isArray(params) ? [...params] : Object.keys(params)).sort();
    return { code: body.code, data: { status: said, ...(names ? { params: names } : {}) } };
  }
  const each = (entries, rendered) =>
    Object.fromEntries(Object.entries(entries ?? {}).map(([name, value]) => [name, rendered(value).sort()]));
  if (kind === 'index')
    return { namespace: body?.namespace, routes: each(body?.routes, ({ methods }) => [...(methods ?? [])]) };
  if (kind === 'doc') return { paths: each(body?.paths, Object.keys) };
  return body;
}

/** Lists differences between two projected responses, one per line and about forty at most. */
export function diff(expected, actual, path = '', out = []) {
  if (out.length > 40 || expected === '{any}') return out;
  if (expected === '{#new}' && typeof actual === 'number') return out;
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      out.push(`${path}: ${expected.length} items expected, ${actual.length} found`);
    for (let at = 0; at < Math.min(expected.length, actual.length); at++)
      diff(expected[at], actual[at], `${path}[${at}]`, out);
  } else if (isObject(expected) && isObject(actual) && Array.isArray(expected) === Array.isArray(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!(name in actual)) {
        if (expected[name] !== '{any}')
          out.push(`${path}.${name}: missing (expected ${clip(expected[name])})`);
      } else if (!(name in expected)) out.push(`${path}.${name}: unexpected (found ${clip(actual[name])})`);
      else diff(expected[name], actual[name], `${path}.${name}`, out);
    }
  } else if (expected !== actual) out.push(`${path}: expected ${clip(expected)}, found ${clip(actual)}`);
  return out;
}

/** Lists members in another order, as reads must match to the byte. */
export function orderDiff(expected, actual, path = '', out = []) {
  if (!isObject(expected) || !isObject(actual) || Array.isArray(expected) !== Array.isArray(actual))
    return out;
  const [expectedNames, foundNames] = [membersOf(expected, actual), membersOf(actual, expected)];
  if (expectedNames.join() !== foundNames.join())
    out.push(`${path}: expected in the order ${expectedNames}, found ${foundNames}`);
  for (const name of expectedNames) orderDiff(expected[name], actual[name], `${path}.${name}`, out);
  return out;
}

const membersOf = (one, other) => Object.keys(one).filter((name) => name in other);

const isObject = (value) => value !== null && typeof value === 'object';

function clip(value) {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 160 ? `${text.slice(0, 157)}...` : text;
}
