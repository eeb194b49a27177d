const AFTER_A_BREAK = /(?<=[ >(]|&#8216;|&#8220;)Wordpress/g;

/** The text with `WordPress` for `Wordpress`: anywhere in a title, elsewhere only after a space, tag or quote. */
export function capitalPDangit(text: string, where: 'the_title' | 'the_content'): string {
  if (!text.includes('Wordpress')) return text;
  return where === 'the_title'
    ? text.replaceAll('Wordpress', 'WordPress')
    : text.replace(AFTER_A_BREAK, 'WordPress');
}
