import { escHtml } from './esc-html.js';
import { KSES_CONTEXTS, type KsesAllowlist, type KsesContext } from './kses-allowlist.js';
import { ksesAttributes } from './kses-attributes.js';
import { ksesBlocks } from './kses-blocks.js';
import { normalizeEntities } from './normalize-entities.js';

/** ASCII control characters except tab and line breaks. */
const CONTROLS = /[^\P{Cc}\t\n\r\x7f-\x9f]/gu;
const MARKUP = /[<>&]/;
const FROM_LESS_THAN = /<[^<>]*>?/g;
const TAG = /^<[ \t\r\n]*(\/?)([a-z\d-]+)([^>]*)>$/i;
/** `</` before a non-letter, which browsers parse as a comment. */
const BOGUS_COMMENT = /^<\/[^a-z>]/i;
const BRACKET = /<[^>]*>?|>/g;
const COMMENT_OR_BRACKET = /<!--([\s\S]*?)-->|<[^>]*>?|>/g;
const DASHES = /--+/g;

interface Rules {
  allowlist: KsesAllowlist;
  uploadsUrl: string;
}

/**
 * Filters HTML to the elements, attributes, URL schemes and style properties that the context (or an own allow-list)
 * allows; the text of a removed element stays. An `<object>` keeps its attributes only for a PDF below `uploadsUrl`
 * (without a trailing slash).
 */
export function wpKses(text: string, context: KsesContext | KsesAllowlist, uploadsUrl = ''): string {
  const allowlist = typeof context === 'string' ? KSES_CONTEXTS[context] : context;
  const clean = text.replace(CONTROLS, '');
  if (!MARKUP.test(clean)) return clean;
  const closed = escapeUnclosed(normalizeEntities(clean));
  const blocks = ksesBlocks(closed, (string) => wpKses(string, allowlist, uploadsUrl));
  return filterTags(blocks, { allowlist, uploadsUrl });
}

/** Filters HTML to what posts may contain; `uploadsUrl` as in `wpKses`. */
export function wpKsesPost(text: string, uploadsUrl = ''): string {
  return wpKses(text, 'post', uploadsUrl);
}

/** Escapes each `<` without a `>` before the next `<` or the end. */
function escapeUnclosed(text: string): string {
  return text.replace(FROM_LESS_THAN, (run) => (run.endsWith('>') ? run : escHtml(run)));
}

function filterTags(text: string, rules: Rules): string {
  const filter = (token: string, comment: unknown) => {
    if (typeof comment === 'string') return filterComment(comment, rules);
    return token === '>' ? '&gt;' : filterTag(token, rules);
  };
  // No comment ends after the last `-->`; skipping that part keeps the search linear.
  const end = text.includes('-->') ? text.lastIndexOf('-->') + 3 : 0;
  return text.slice(0, end).replace(COMMENT_OR_BRACKET, filter) + text.slice(end).replace(BRACKET, filter);
}

/** Filters a comment so that nothing inside looks like its end. */
function filterComment(inner: string, rules: Rules): string {
  const text = filterTags(escapeUnclosed(inner), rules).replace(DASHES, '-').replace(/-$/, '');
  return text === '' ? '' : `<!--${text}-->`;
}

/** Removes a tag unless it is a well-formed tag of an allowed element or a bogus comment. */
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
