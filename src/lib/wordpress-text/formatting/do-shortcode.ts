import { KSES_CONTEXTS } from './data/kses-allowlist.js';
import { SHORTCODE_NAMES } from './data/shortcode-names.js';
import { escAttr } from './esc-html.js';
import { BLANK, execAt } from './php-strings.js';
import type { RenderContext } from './render-context.js';
import { audio, embed, video } from './shortcodes/audio-video.js';
import { caption } from './shortcodes/caption.js';
import { gallery, playlist } from './shortcodes/gallery-playlist.js';
import { type Shortcode, shortcodeAttributes } from './shortcodes/shortcode.js';
import { ksesAttributes } from './wp-kses.js';

interface ShortcodeSet {
  handlers: Readonly<Record<string, Shortcode | undefined>>;
  opening: RegExp;
  /** Whether shortcodes in attributes of HTML tags are expanded too. */
  inTags: boolean;
}

/** Names without a handler render nothing: `[embed]` was expanded before, the plugin's own need a page around them. */
const ALL: ShortcodeSet = {
  handlers: { caption, wp_caption: caption, gallery, audio, video, playlist },
  opening: openingOf(SHORTCODE_NAMES),
  inTags: true,
};
const EMBED_ONLY: ShortcodeSet = { handlers: { embed }, opening: openingOf(['embed']), inTags: false };

const HTML = /<!--[\s\S]*?(?:-->|(?![\s\S]))|<!\[CDATA\[[\s\S]*?(?:\]\]>|(?![\s\S]))|<[^>]*>?/g;
const START_TAG = new RegExp(
  `^<([a-z][a-z\\d]*)(?:${BLANK}+[\\w:.-]+(?:="[^"]*"|='[^']*'|=[^\\t-\\r "'>]+)?)*${BLANK}*/?>$`,
  'i',
);
const QUOTED_ATTRIBUTE = new RegExp(`(${BLANK})([\\w:.-]+)=(?:"([^"]*)"|'([^']*)')`, 'g');
/** Placeholders for brackets that start no shortcode; both are Unicode noncharacters. */
const HIDDEN_OPEN = '\ufdd0';
const HIDDEN_CLOSE = '\ufdd1';
const HIDDEN = /[\ufdd0\ufdd1]/g;

/** Expands the registered shortcodes of a text; `[[x]]` becomes `[x]`, unknown ones stay. */
export function doShortcode(text: string, ctx: RenderContext): string {
  return expand(text, ALL, ctx);
}

/** Expands `[embed]` only, the first step of rendering. */
export function doEmbedShortcode(text: string, ctx: RenderContext): string {
  return expand(text, EMBED_ONLY, ctx);
}

function openingOf(names: readonly string[]): RegExp {
  return new RegExp(`\\[(\\[?)(${names.join('|')})(?![\\w-])`, 'g');
}

function expand(text: string, set: ShortcodeSet, ctx: RenderContext): string {
  if (!text.includes('[') || !execAt(set.opening, text, 0)) return text;
  const hidden = hideBracketsOfTags(text, set, ctx);
  return expandText(hidden, set, ctx).replace(HIDDEN, (char) => (char === HIDDEN_OPEN ? '[' : ']'));
}

/** Expands in one pass from left to right; the output of a shortcode is not expanded again. */
function expandText(text: string, set: ShortcodeSet, ctx: RenderContext): string {
  const neverClosed = new Set<string>();
  let out = '';
  let position = 0;
  for (let match = execAt(set.opening, text, 0); match; match = execAt(set.opening, text, position)) {
    const [found, escaping, name = ''] = match;
    const afterName = match.index + found.length;
    const close = text.indexOf(']', afterName);
    if (close < 0) break;

    const closesItself = close > afterName && text[close - 1] === '/';
    const closing = closesItself || neverClosed.has(name) ? -1 : text.indexOf(`[/${name}]`, close + 1);
    if (!closesItself && closing < 0) neverClosed.add(name);
    let end = closing < 0 ? close + 1 : closing + name.length + 3;
    out += text.slice(position, match.index);
    if (escaping && text[end] === ']') {
      out += text.slice(match.index + 1, end++);
    } else {
      const content = closing < 0 ? '' : text.slice(close + 1, closing);
      const attributes = shortcodeAttributes(text.slice(afterName, closesItself ? close - 1 : close));
      const call = { attributes, content, ctx, expand: (inner: string) => expand(inner, set, ctx) };
      out += escaping + (set.handlers[name]?.(call) ?? '');
    }
    position = end;
  }
  return out + text.slice(position);
}

/** Hides the brackets of tags and comments; in tags only quoted attributes allowed in posts are expanded. */
function hideBracketsOfTags(text: string, set: ShortcodeSet, ctx: RenderContext): string {
  if (!text.includes('<')) return text;
  return text.replace(HTML, (element) => {
    if (!element.includes('[') && !element.includes(']')) return element;
    const expandable = set.inTags && !element.startsWith('<!') && execAt(set.opening, element, 0);
    const expanded = expandable ? expandAttributes(element, set, ctx) : element;
    return expanded.replaceAll('[', HIDDEN_OPEN).replaceAll(']', HIDDEN_CLOSE);
  });
}

function expandAttributes(tag: string, set: ShortcodeSet, ctx: RenderContext): string {
  const element = START_TAG.exec(tag)?.[1]?.toLowerCase();
  const allowed = element === undefined ? undefined : KSES_CONTEXTS.post.get(element);
  if (element === undefined || !allowed) return tag;
  return tag.replace(
    QUOTED_ATTRIBUTE,
    (all, space: string, name: string, double?: string, single?: string) => {
      const value = double ?? single ?? '';
      const expanded = expand(value, set, ctx);
      if (expanded === value) return all;
      const filtered = ksesAttributes(
        element,
        `${name}="${escAttr(expanded)}"`,
        allowed,
        ctx.site.uploadsUrl,
      );
      return filtered === '' ? all : space + filtered.slice(1);
    },
  );
}
