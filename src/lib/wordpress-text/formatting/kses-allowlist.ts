import {
  DATA_ELEMENTS,
  type ElementGroups,
  GLOBAL_ATTRIBUTES,
  POST_ELEMENTS,
} from './data/kses-allowlist.js';

/** Allowed attributes by element name, both lower-case; `data-*` stands for all data attributes. */
export type KsesAllowlist = ReadonlyMap<string, ReadonlySet<string>>;

/** Names of the allow-lists: posts, titles and term names, term descriptions. */
export type KsesContext = 'post' | 'data' | 'pre_term_description';

/** Builds an allow-list from groups of elements with their attributes; `global` attributes are allowed on all of them. */
export function ksesAllowlist(groups: ElementGroups, global = ''): KsesAllowlist {
  return new Map(
    groups.flatMap(([elements, own]) =>
      elements.split(' ').map((name) => [name, new Set(`${own} ${global}`.split(' '))] as const),
    ),
  );
}

/** The allow-list of each context. */
export const KSES_CONTEXTS: Readonly<Record<KsesContext, KsesAllowlist>> = {
  post: ksesAllowlist(POST_ELEMENTS, GLOBAL_ATTRIBUTES),
  data: ksesAllowlist(DATA_ELEMENTS),
  pre_term_description: ksesAllowlist([...DATA_ELEMENTS, ['a', 'href title rel target']]),
};
