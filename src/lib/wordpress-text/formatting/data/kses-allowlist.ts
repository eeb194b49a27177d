/** The attributes allowed on every element of a post. */
const GLOBAL_ATTRIBUTES =
  'aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label ' +
  'aria-labelledby aria-live class data-* dir hidden id lang style title role xml:lang';

/** Space-separated elements with the space-separated attributes that they may carry. */
type ElementGroups = readonly (readonly [elements: string, attributes: string])[];

/** The elements allowed in a post, with their attributes beside the global ones. */
const POST_ELEMENTS: ElementGroups = [
  [
    'address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s samp ' +
      'small strike strong sub sup title tt u var',
    '',
  ],
  ['a', 'href rel rev name target download'],
  ['area', 'alt coords href nohref shape target'],
  [
    'article aside caption div figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup legend main nav p ' +
      'span section summary',
    'align',
  ],
  ['audio', 'autoplay controls loop muted preload src'],
  ['blockquote q', 'cite'],
  ['button', 'disabled name type value'],
  ['col colgroup', 'align char charoff span valign width'],
  ['del', 'datetime'],
  ['details', 'align open'],
  ['font', 'color face size'],
  ['hr', 'align noshade size width'],
  ['img', 'alt align border height hspace loading longdesc vspace src usemap width'],
  ['ins', 'datetime cite'],
  ['label', 'for'],
  ['li', 'align value'],
  ['map', 'name'],
  ['menu ul', 'type'],
  ['object', 'data type'],
  ['pre', 'width'],
  ['table', 'align bgcolor border cellpadding cellspacing rules summary width'],
  ['tbody tfoot thead', 'align char charoff valign'],
  ['td th', 'abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width'],
  ['textarea', 'cols rows disabled name readonly'],
  ['tr', 'align bgcolor char charoff valign'],
  ['track', 'default kind label src srclang'],
  ['ol', 'start type reversed'],
  ['video', 'autoplay controls height loop muted playsinline poster preload src width'],
];

/** The elements allowed in a title or a term name, with all their attributes. */
const DATA_ELEMENTS: ElementGroups = [
  ['a', 'href title'],
  ['abbr acronym', 'title'],
  ['b cite code em i s strike strong', ''],
  ['blockquote q', 'cite'],
  ['del', 'datetime'],
];

/** The allowed URL schemes. */
export const PROTOCOLS: ReadonlySet<string> = words(
  'http https ftp ftps mailto news irc irc6 ircs gopher nntp feed telnet mms rtsp sms svn tel fax xmpp ' +
    'webcal urn',
);

/** The attributes that hold a URL. */
export const URL_ATTRIBUTES: ReadonlySet<string> = words(
  'action archive background cite classid codebase data formaction href icon longdesc manifest poster ' +
    'profile src usemap xmlns',
);

/** The CSS properties allowed in a style attribute, beside custom ones (`--name`). */
export const CSS_PROPERTIES: ReadonlySet<string> = words(
  'background background-color background-image background-position background-repeat background-size ' +
    'background-attachment background-blend-mode border border-radius border-width border-color border-style ' +
    'border-right border-right-color border-right-style border-right-width border-bottom border-bottom-color ' +
    'border-bottom-left-radius border-bottom-right-radius border-bottom-style border-bottom-width ' +
    'border-left border-left-color border-left-style border-left-width border-top border-top-color ' +
    'border-top-left-radius border-top-right-radius border-top-style border-top-width border-spacing ' +
    'border-collapse caption-side columns column-count column-fill column-gap column-rule column-span ' +
    'column-width color filter font font-family font-size font-style font-variant font-weight letter-spacing ' +
    'line-height text-align text-decoration text-indent text-transform height min-height max-height width ' +
    'min-width max-width margin margin-right margin-bottom margin-left margin-top margin-block-start ' +
    'margin-block-end margin-inline-start margin-inline-end padding padding-right padding-bottom ' +
    'padding-left padding-top padding-block-start padding-block-end padding-inline-start padding-inline-end ' +
    'flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap gap row-gap ' +
    'grid-template-columns grid-auto-columns grid-column-start grid-column-end grid-column grid-column-gap ' +
    'grid-template-rows grid-auto-rows grid-row-start grid-row-end grid-row grid-row-gap grid-gap ' +
    'justify-content justify-items justify-self align-content align-items align-self clear cursor direction ' +
    'float list-style-type object-fit object-position opacity overflow vertical-align writing-mode position ' +
    'top right bottom left z-index box-shadow aspect-ratio container-type',
);

/** The properties that may hold a URL, beside custom ones. */
export const URL_PROPERTIES = words('background background-image cursor');
export const GRADIENT_PROPERTIES = words('background background-image');
/** The CSS functions allowed in a value, beside URLs and gradients. */
export const CSS_FUNCTIONS = words('var calc min max minmax clamp repeat');

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

export const KSES_CONTEXTS: Readonly<Record<KsesContext, KsesAllowlist>> = {
  post: ksesAllowlist(POST_ELEMENTS, GLOBAL_ATTRIBUTES),
  data: ksesAllowlist(DATA_ELEMENTS),
  pre_term_description: ksesAllowlist([...DATA_ELEMENTS, ['a', 'href title rel target']]),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
