type Values = Readonly<Record<string, string | number>>;

/** Replaces names in braces by their values; unknown ones stay. */
export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => String(values[name] ?? brace));
}

/**
 * The form of a text for a number, which replaces `{n}`. The forms stand behind the plural categories of `Intl`, as in
 * `one:{n} event|other:{n} events`; `other` is the default.
 */
export function fillPlural(language: string, text: string, n: number, values: Values = {}): string {
  const forms = new Map(text.split('|').map((form) => [form.slice(0, form.indexOf(':')), form]));
  const category = new Intl.PluralRules(language).select(n);
  const form = forms.get(category) ?? forms.get('other') ?? `:${text}`;
  const number = new Intl.NumberFormat(language).format(n);
  return fill(form.slice(form.indexOf(':') + 1), { n: number, ...values });
}
