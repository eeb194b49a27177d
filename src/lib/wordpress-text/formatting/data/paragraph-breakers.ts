/** The elements that no paragraph may be around, as parts of a regular expression. */
export const PARAGRAPH_BREAKERS: readonly string[] = (
  'table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol li pre form map area blockquote ' +
  'address style p h[1-6] hr fieldset legend section article aside hgroup header footer nav figure figcaption ' +
  'details menu summary'
).split(' ');
