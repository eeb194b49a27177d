/** Sends the requests of one recorded case and compares the responses and the stored rows. */
import { request } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { diff, normalise, orderDiff, project } from './compare.mjs';
import { census, rows } from './stored-rows.mjs';

/**
 * The server under test and how its responses compare with the recording.
 *
 * @typedef {object} Target
 * @property {string} url Base URL; the path of each case is appended to it.
 * @property {Readonly<Record<string, { login: string, password: string }>>} users
 * @property {string} prefix Table prefix.
 * @property {import('./stored-rows.mjs').AskRows} [ask] Reads rows; only if they are compared.
 * @property {number} offsetMs Offset of the site's time zone from UTC.
 * @property {number} nowMs Start of the recording.
 * @property {[from: string, to: string][]} replace URLs and their placeholders in the recording.
 * @property {boolean} [again] Whether single reads are repeated, to compare cached responses.
 * @property {number} [rowsCompared] Number of cases whose rows were compared.
 */

/**
 * One recorded case: a single request, or several in a row.
 *
 * @typedef {object} RecordedCase
 * @property {string} name
 * @property {string} [method] GET when absent.
 * @property {string} [path]
 * @property {{ path: string }[]} [steps]
 * @property {boolean} [rows] Whether the rows that it stores are compared.
 */

/**
 * Runs one case and returns the differences; empty when it matches.
 *
 * @param {RecordedCase} recorded
 * @param {Target} target
 * @returns {Promise<string[]>}
 */
export async function runCase(recorded, target) {
  const { ask, prefix, replace, offsetMs, nowMs } = target;
  const names = new Map();
  const ids = new Map();
  const differences = [];
  let run;
  const steps = recorded.steps ?? [recorded];
  const isRejection = ask && recorded.steps && steps.every(({ expect }) => expect.status >= 400);
  const before = isRejection ? await census(ask, prefix) : undefined;
  for (const [at, step] of steps.entries()) {
    const response = await send(step, target, names);
    for (const [name, path] of Object.entries(step.capture ?? {})) {
      const id = valueAt(response.json, path);
      if (id === undefined || id === null) continue;
      names.set(name, Number(id));
      if (Number(id) >= 100000) ids.set(String(id), name);
    }
    run = { ids, replace, offsetMs, nowMs, serverMs: response.serverMs };
    const actual = comparableResponse(step, response, run);
    for (const name of step.skip ?? []) {
      without(actual.body, name);
      without(step.expect?.body, name);
    }
    const place = steps.length > 1 ? `step ${at + 1} ` : '';
    differences.push(...diff(step.expect, actual, place));
    const isRead = (step.method ?? 'GET') === 'GET';
    if (isRead) differences.push(...orderDiff(step.expect?.body, actual.body, place));
    if (!target.again || recorded.steps || !isRead) continue;
    const repeated = await send(step, target, names);
    if (isDeepStrictEqual(withoutTime(repeated), withoutTime(response))) continue;
    const rendered = comparableResponse(step, repeated, { ...run, serverMs: repeated.serverMs });
    differences.push(...diff(step.expect, rendered, 'again: '));
  }
  if (before !== undefined) {
    const after = await census(ask, prefix);
    target.rowsCompared = (target.rowsCompared ?? 0) + 1;
    if (after !== before)
      differences.push(`a rejected request changed rows: ${before} before, ${after} after`);
  }
  if (recorded.rows && ask) {
    const actual = normalise(await rows(ask, prefix, names), run);
    target.rowsCompared = (target.rowsCompared ?? 0) + 1;
    if (recorded.rowsOnly)
      for (const row of Object.values(actual))
        for (const name of Object.keys(row)) if (!recorded.rowsOnly.includes(name)) delete row[name];
    for (const [name, expected] of Object.entries(recorded.expectRows))
      differences.push(...diff(expected, actual[name], `rows ${name}`));
  }
  return differences;
}

const withoutTime = ({ serverMs: _serverMs, ...response }) => response;

/** The compared parts of a response. */
function comparableResponse(step, { status, headers, json }, run) {
  const rendered = step.method === 'HEAD' || step.ignoreBody ? null : project(step.kind, status, json);
  const body = rendered && normalise(rendered, run);
  if (!step.only || !body || status >= 400) return { status, headers, body };
  const repeated = step.only.filter((name) => name in body).map((name) => [name, body[name]]);
  return { status, headers, body: Object.fromEntries(repeated) };
}

async function send(step, { url, users }, names) {
  const headers = { ...step.headers };
  if (step.as) {
    const { login, password } = users[step.as];
    headers.Authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  }
  let body = step.raw;
  if (body === undefined && step.body !== undefined) {
    const isForm = step.type === 'form';
    const filledBody = fill(step.body, names);
    body = isForm ? encodeForm(filledBody).toString() : JSON.stringify(filledBody);
    headers['Content-Type'] = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  }
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (body !== undefined && !isTyped) headers['Content-Type'] = 'text/plain;charset=UTF-8';
  const place = url + fill(step.path, names);
  const { status, headers: sent, text } = await exchange(place, step.method, headers, body);
  const totals = ['x-tec-total', 'x-tec-totalpages'].filter((name) => name in sent);
  return {
    status,
    headers: Object.fromEntries(totals.map((name) => [name, sent[name]])),
    json: parsed(text),
    serverMs: Date.parse(sent.date ?? ''),
  };
}

/**
 * Sends one request by `node:http`, which is much cheaper than `fetch`, with a timeout of 30 seconds.
 *
 * @param {string} url
 * @param {string | undefined} method
 * @param {Record<string, string>} headers
 * @param {string} [body]
 * @returns {Promise<{ status: number, headers: import('node:http').IncomingHttpHeaders, text: string }>}
 */
export function exchange(url, method = 'GET', headers, body) {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(30000);
    const sent = request(url, { method, headers, signal }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parsed(text) {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return { unparsable: text.slice(0, 300) };
  }
}

/** Replaces names of captured ids in a recorded value; a name on its own becomes a number. */
function fill(value, names) {
  if (typeof value === 'string') {
    const alone = /^\{(\w+)\}$/.exec(value)?.[1];
    if (alone !== undefined && names.has(alone)) return names.get(alone);
    return value.replace(/\{(\w+)\}/g, (whole, name) => (names.has(name) ? names.get(name) : whole));
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, names)]));
}

function encodeForm(value, prefix = '', out = new URLSearchParams()) {
  if (value !== null && typeof value === 'object')
    for (const [name, item] of Object.entries(value))
      encodeForm(item, prefix ? `${prefix}[${name}]` : name, out);
  else out.append(prefix, value === null ? '' : String(value));
  return out;
}

/** Deletes a member of a body, in nested records too. */
function without(body, name) {
  if (!body || typeof body !== 'object') return;
  delete body[name];
  for (const value of Object.values(body)) without(value, name);
}

const valueAt = (body, path) => path.split('.').reduce((value, name) => value?.[name], body);
