import { deserialize } from 'node:v8';
import { attachmentsIn } from '../../lib/wordpress-text/formatting/attachments-in-text.js';
import { escJs } from '../../lib/wordpress-text/formatting/esc-html.js';
import type {
  Attachment,
  RenderContext,
  RenderSite,
  RenderState,
} from '../../lib/wordpress-text/formatting/render-context.js';
import { theContent, theExcerpt, theTitle } from '../../lib/wordpress-text/formatting/the-content.js';
import {
  type ExcerptSource,
  tribePostExcerpt,
} from '../../lib/wordpress-text/formatting/tribe-post-excerpt.js';
import { withFloats } from '../../lib/wordpress-text/php-serialize.js';
import { type CleaningRights, cleanText, type TextKind } from '../posts/text-cleaner.js';

/** A text and the context of its rendering, transferable to another thread. */
interface RenderInput {
  text: string;
  site: RenderSite;
  /** Lists of attachments, serialized by `v8.serialize`, in the order of the request. */
  attachments: readonly Uint8Array[];
  /** Ids of records whose attachments the user may not see. */
  hiddenParents: readonly number[];
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

/** The functions on whole texts, each of plain data, so that a thread can run it. */
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

export type TextFunction = keyof typeof TEXT_FUNCTIONS;
export type TextInput<K extends TextFunction> = Parameters<(typeof TEXT_FUNCTIONS)[K]>[0];
export type TextOutput<K extends TextFunction> = ReturnType<(typeof TEXT_FUNCTIONS)[K]>;

export interface TextJob<K extends TextFunction = TextFunction> {
  name: K;
  input: TextInput<K>;
}

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
