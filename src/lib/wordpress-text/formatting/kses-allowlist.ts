import { DATA_ELEMENTS, GLOBAL_ATTRIBUTES, POST_ELEMENTS } from './data/kses-allowlist.js';

/** Lower-case element names, each with the lower-case attributes that it may carry; `data-*` stands for all of them. */
export type KsesAllowlist = ReadonlyMap<string, ReadonlySet<string>>;

/** The named allow-lists: posts, titles and term names, term descriptions. */
export type KsesContext = 'post' | 'data' | 'pre_term_description';

/** An allow-list from element names with space-separated attributes; `everywhere` lists those that all of them carry. */
export function ksesAllowlist(elements: Readonly<Record<string, string>>, everywhere = ''): KsesAllowlist {
  return new Map(
    Object.entries(elements).map(([name, own]) => [name, new Set(`${own} ${everywhere}`.split(' '))]),
  );
}

/** The allow-list of each context. */
export const KSES_CONTEXTS: Readonly<Record<KsesContext, KsesAllowlist>> = {
  post: ksesAllowlist(POST_ELEMENTS, GLOBAL_ATTRIBUTES),
  data: ksesAllowlist(DATA_ELEMENTS),
  pre_term_description: ksesAllowlist({ ...DATA_ELEMENTS, a: 'href title rel target' }),
};
