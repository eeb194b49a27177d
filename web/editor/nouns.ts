import { TEXTS } from './catalogue.js';
import { pluralOf, type Resource } from './model.js';

const NOUNS: Readonly<Record<string, string>> = TEXTS.nouns;

/** What a record is called inside sentences, in the language of the page; that of a plugin as the plugin calls it. */
export const nounOf = ({ one }: Resource): string => NOUNS[one] ?? one;

/** Several of what a field without a kind of its own chooses. */
export const nounsFor = (kind: string): string => NOUNS[kind] ?? kind;

/** The same of several records. */
export const nounsOf = (resource: Resource): string => NOUNS[resource.kind] ?? pluralOf(resource);
