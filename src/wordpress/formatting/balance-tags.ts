const TAG_OR_COMMENT = /<!--|<(\/?)([a-z][\w-]*)([^<>]*)>/gi;
const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that may directly hold one of their own kind; any other is closed by the next one. */
const NESTABLE_ELEMENTS: ReadonlySet<string> = new Set(
  'article aside blockquote details div figure object q section span'.split(' '),
);

/** The text with its tags balanced when the option `use_balanceTags` is on, else the text itself. */
export function balanceTags(text: string, useBalanceTags = false): string {
  return useBalanceTags ? forceBalanceTags(text) : text;
}

/** Closes what is open, drops closing tags of nothing, closes void elements with ` />`, lower-cases tag names. */
export function forceBalanceTags(text: string): string {
  const lastCommentEnd = text.lastIndexOf('-->');
  const open: string[] = [];
  let balanced = '';
  let position = 0;
  TAG_OR_COMMENT.lastIndex = 0;
  for (let tag = TAG_OR_COMMENT.exec(text); tag !== null; tag = TAG_OR_COMMENT.exec(text)) {
    const [found, slash, name, attributes = ''] = tag;
    if (name === undefined) {
      if (tag.index < lastCommentEnd) TAG_OR_COMMENT.lastIndex = text.indexOf('-->', tag.index) + 3;
      continue;
    }
    balanced += text.slice(position, tag.index);
    position = tag.index + found.length;
    const element = name.toLowerCase();
    balanced += slash === '' ? openElement(open, element, attributes) : closeElement(open, element);
  }
  return balanced + text.slice(position) + closing(open);
}

function openElement(open: string[], element: string, attributes: string): string {
  if (attributes.endsWith('/')) return `<${element}${attributes}>`;
  if (VOID_ELEMENTS.has(element)) return `<${element}${attributes} />`;
  const before = open.at(-1) === element && !NESTABLE_ELEMENTS.has(element) ? closing(open.splice(-1)) : '';
  open.push(element);
  return `${before}<${element}${attributes}>`;
}

function closeElement(open: string[], element: string): string {
  const index = open.lastIndexOf(element);
  return index < 0 ? '' : closing(open.splice(index));
}

function closing(elements: readonly string[]): string {
  return elements
    .toReversed()
    .map((element) => `</${element}>`)
    .join('');
}
