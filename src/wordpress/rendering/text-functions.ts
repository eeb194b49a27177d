import { deserialize } from 'node:v8';
import { attachmentsIn } from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import { escJs } from '../../lib/wordpress-text/formatting/esc-html.js';
import type {
  Attachment,
  RenderContext,
  RenderSite,
  RenderState,
} from '../../lib/wordpress-text/formatting/render-context.js';
import { theContent } from '../../lib/wordpress-text/formatting/the-content.js';
import { theExcerpt } from '../../lib/wordpress-text/formatting/the-excerpt.js';
import { theTitle } from '../../lib/wordpress-text/formatting/the-title.js';
import {
  type ExcerptSource,
  tribePostExcerpt,
} from '../../lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { withFloats } from '../../lib/wordpress-text/php-serialize.js';
import { type CleaningRights, cleanText, type TextKind } from '../posts/text-cleaner.js';

/** A text with all that rendering it reads, in a form that reaches another thread. */
export interface RenderInput {
  text: string;
  site: RenderSite;
  /** Lists of attachments as `v8.serialize` writes them, in the order of the request. */
  attachments: readonly Uint8Array[];
  /** Records whose attachments the reader may not see, by id. */
  hiddenParents: readonly number[];
  /** The counters before. */
  state: RenderState;
}

/** HTML and the counters after it. */
export interface Rendered {
  text: string;
  state: RenderState;
}

interface LocalText {
  text: string;
  locale: string;
}

/** All that is done to whole texts, each from plain data to plain data, so that a thread can do it as well. */
const TEXT_FUNCTIONS = {
  attachments: ({ text }: { text: string }) => attachmentsIn([text]),
  content: (input: RenderInput) => rendered(theContent, input),
  excerpt: (input: RenderInput) => rendered(theExcerpt, input),
  title: ({ text, locale }: LocalText) => theTitle(text, locale),
  jsonLdName: ({ text, locale }: LocalText) => escJs(theTitle(text, locale)),
  jsonLdDescription: ({ locale, ...source }: LocalText & ExcerptSource) =>
    escJs(tribePostExcerpt(source, locale)),
  clean: ({ kind, text, rights }: { kind: TextKind; text: string; rights: CleaningRights }) =>
    cleanText(kind, text, rights),
} as const;

/** The names of these functions. */
export type TextFunction = keyof typeof TEXT_FUNCTIONS;
/** What one of them takes. */
export type TextInput<K extends TextFunction> = Parameters<(typeof TEXT_FUNCTIONS)[K]>[0];
/** What one of them gives. */
export type TextOutput<K extends TextFunction> = ReturnType<(typeof TEXT_FUNCTIONS)[K]>;

/** One call of one of them. */
export interface TextJob<K extends TextFunction = TextFunction> {
  name: K;
  input: TextInput<K>;
}

/** Does a job in place. */
export function runTextJob<K extends TextFunction>({ name, input }: TextJob<K>): TextOutput<K> {
  const run = TEXT_FUNCTIONS[name] as (input: TextInput<K>) => TextOutput<K>;
  return run(input);
}

function rendered(
  render: (text: string, context: RenderContext) => string,
  { text, site, attachments, hiddenParents, state }: RenderInput,
): Rendered {
  const loaded = attachments.flatMap((list) => deserialize(list) as Attachment[]);
  for (const one of loaded) one.metadata = withFloats(one.metadata);
  const context = {
    site,
    attachments: new Map(loaded.map((one) => [one.id, one])),
    hiddenParents: new Set(hiddenParents),
    state: { ...state },
  };
  return { text: render(text, context), state: context.state };
}
