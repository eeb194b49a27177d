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
const BRACKET = /<[^>]*>?|>/g;
const COMMENT_OR_BRACKET = /<!--([\s\S]*?)-->|<[^>]*>?|>/g;
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
  const filter = (token: string, comment: unknown) => {
    if (typeof comment === 'string') return filterComment(comment, rules);
    return token === '>' ? '&gt;' : filterTag(token, rules);
  };
  // Behind its last end no comment ends; not looking for one there keeps the search linear.
  const end = text.includes('-->') ? text.lastIndexOf('-->') + 3 : 0;
  return text.slice(0, end).replace(COMMENT_OR_BRACKET, filter) + text.slice(end).replace(BRACKET, filter);
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
