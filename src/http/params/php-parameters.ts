import { isUtf8 } from 'node:buffer';
import querystring from 'node:querystring';
import { splitOnce } from '../../lib/wordpress-text/formatting/uri-parts.js';

/** A parameter as PHP parses it: a text, or a list or map of parameters; JSON bodies add the other scalars. */
type ParameterValue = unknown;

/** Parameters by name, without a prototype, so that no name is special. */
export type Parameters = Record<string, ParameterValue>;

// PHP's own limits (max_input_vars, max_input_nesting_level): excess parameters are dropped.
const MAX_PARAMETERS = 1000;
const MAX_DEPTH = 64;
// Parsing a name of a million brackets takes long.
const MAX_NAME_LENGTH = 2000;

interface Branch {
  entries: Map<string, string | Branch>;
  next: number;
}

/** Parses `a=1&b[]=2&c[x][y]=3` by PHP's rules: brackets nest, the last duplicate wins, dots and blanks in names become `_`. */
export function parsePhpParameters(text: string): Parameters {
  const pairs = text
    .split('&', MAX_PARAMETERS)
    .filter((pair) => pair !== '')
    .map((pair) => splitOnce(pair, '=').map(decodeFormText) as [string, string]);
  return nestPhpParameters(pairs);
}

/** Nests decode name–value pairs by PHP's bracket rules. */
export function nestPhpParameters(pairs: Iterable<readonly [name: string, value: string]>): Parameters {
  const root: Branch = { entries: new Map(), next: 0 };
  for (const [name, value] of pairs) {
    const path = name.length > MAX_NAME_LENGTH ? [] : keyPath(name);
    if (path.length === 0 || path.length > MAX_DEPTH) continue;
    let branch = root;
    for (const [depth, part] of path.entries()) {
      const key = part === '' && depth > 0 ? String(branch.next) : part;
      if (/^(0|[1-9]\d{0,15})$/.test(key)) branch.next = Math.max(branch.next, Number(key) + 1);
      if (depth === path.length - 1) {
        branch.entries.set(key, value);
        break;
      }
      let child = branch.entries.get(key);
      if (child === undefined || typeof child === 'string') {
        child = { entries: new Map(), next: 0 };
        branch.entries.set(key, child);
      }
      branch = child;
    }
  }
  return members(root);
}

function keyPath(name: string): string[] {
  const trimmed = name.replace(/^ +/, '').split('\0', 1)[0] ?? '';
  const open = trimmed.indexOf('[');
  if (open <= 0) return trimmed === '' || open === 0 ? [] : [trimmed.replace(/[ .[]/g, '_')];
  const path = [trimmed.slice(0, open).replace(/[ .]/g, '_')];
  let at = open;
  while (trimmed[at] === '[') {
    const close = trimmed.indexOf(']', at);
    // An opening bracket that never closes is part of the name.
    if (close < 0) return at === open ? [trimmed.replace(/[ .[]/g, '_')] : path;
    path.push(trimmed.slice(at + 1, close));
    if (path.length > MAX_DEPTH) return path;
    at = close + 1;
  }
  return path;
}

function plain(value: string | Branch): ParameterValue {
  if (typeof value === 'string') return value;
  const entries = [...value.entries];
  const isList = entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, child]) => plain(child)) : members(value);
}

function members({ entries }: Branch): Parameters {
  const map: Parameters = Object.create(null);
  for (const [key, child] of entries) map[key] = plain(child);
  return map;
}

/** Decodes `%XX` and `+`; a `%` without two digits stays, invalid UTF-8 becomes `?`. */
export function decodeFormText(text: string): string {
  return /[%+]/.test(text) ? decode(text, true) : text;
}

/** Decodes only `%XX`, as in a path; never throws. */
export function decodePercent(text: string): string {
  return text.includes('%') ? decode(text, false) : text;
}

// Node's own decoder of bytes, which its types lack: a megabyte of escapes takes a few milliseconds.
const { unescapeBuffer } = querystring as unknown as {
  unescapeBuffer(bytes: string, decodesPlus: boolean): Buffer;
};

function decode(text: string, decodesPlus: boolean): string {
  const bytes = unescapeBuffer(Buffer.from(text).toString('latin1'), decodesPlus);
  return isUtf8(bytes) ? bytes.toString() : bytes.toString().replaceAll('\uFFFD', '?');
}
