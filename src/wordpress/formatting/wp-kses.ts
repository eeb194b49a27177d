import { escHtml } from './esc-html.js';
import { KSES_CONTEXTS, type KsesAllowlist, type KsesContext } from './kses-allowlist.js';
import { ksesAttributes } from './kses-attributes.js';
import { ksesBlocks } from './kses-blocks.js';
import { normalizeEntities } from './normalize-entities.js';

/** ASCII controls but tab and line ends. */
const CONTROLS = /[^\P{Cc}\t\n\r\x7f-\x9f]/gu;
const MARKUP = /[<>&]/;
const FROM_LESS_THAN = /<[^<>]*>?/g;
const TAG = /^<[ \t\r\n]*(\/?)([a-z\d-]+)([^>]*)>$/i;
/** Browsers read `</` before anything but a letter as a comment. */
const BOGUS_COMMENT = /^<\/[^a-z>]/i;
const DASHES = /--+/g;

interface Rules {
  allowlist: KsesAllowlist;
  uploadsUrl: string;
}

/**
 * The HTML with only the elements, attributes, schemes and style properties that the context (or an own allow-list)
 * allows; the text inside a removed element stays. A PDF `<object>` must lie under `uploadsUrl`, without a slash at
 * its end; without one, no object keeps its attributes.
 */
export function wpKses(text: string, context: KsesContext | KsesAllowlist, uploadsUrl = ''): string {
  const allowlist = typeof context === 'string' ? KSES_CONTEXTS[context] : context;
  const clean = text.replace(CONTROLS, '');
  if (!MARKUP.test(clean)) return clean;
  const closed = escapeUnclosed(normalizeEntities(clean));
  const blocks = ksesBlocks(closed, (string) => wpKses(string, allowlist, uploadsUrl));
  return filterTags(blocks, { allowlist, uploadsUrl });
}

/** Escapes a `<` that meets another one, or the end, before its `>`. */
function escapeUnclosed(text: string): string {
  return text.replace(FROM_LESS_THAN, (run) => (run.endsWith('>') ? run : escHtml(run)));
}

function filterTags(text: string, rules: Rules): string {
  const lastCommentEnd = text.lastIndexOf('-->');
  const bracket = /[<>]/g;
  let filtered = '';
  let position = 0;
  for (let found = bracket.exec(text); found !== null; found = bracket.exec(text)) {
    filtered += text.slice(position, found.index);
    const comment = text.startsWith('<!--', found.index) && found.index + 4 <= lastCommentEnd;
    if (found[0] === '>') {
      position = found.index + 1;
      filtered += '&gt;';
    } else if (comment) {
      const end = text.indexOf('-->', found.index + 4);
      position = end + 3;
      filtered += filterComment(text.slice(found.index + 4, end), rules);
    } else {
      position = text.indexOf('>', found.index) + 1 || text.length;
      filtered += filterTag(text.slice(found.index, position), rules);
    }
    bracket.lastIndex = position;
  }
  return filtered + text.slice(position);
}

/** Nothing in a comment may look like its end; the inner text holds no `-->`, so comments do not nest. */
function filterComment(inner: string, rules: Rules): string {
  const text = filterTags(escapeUnclosed(inner), rules).replace(DASHES, '-').replace(/-$/, '');
  return text === '' ? '' : `<!--${text}-->`;
}

/** What is no well-formed tag of an allowed element vanishes, but for bogus comments. */
function filterTag(tag: string, { allowlist, uploadsUrl }: Rules): string {
  if (BOGUS_COMMENT.test(tag)) return tag;
  const [, slash, name = '', attributes = ''] = TAG.exec(tag) ?? [];
  const element = name.toLowerCase();
  const allowed = allowlist.get(element);
  if (!allowed) return '';
  if (slash === '/') return `</${name}>`;
  const selfClosing = attributes.trimEnd().endsWith('/') ? ' /' : '';
  return `<${name}${ksesAttributes(element, attributes, allowed, uploadsUrl)}${selfClosing}>`;
}
