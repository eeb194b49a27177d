/** What slugs have a dash for: no-break space, en and em dash. */
export const SLUG_DASHES = '\u00a0\u2013\u2014';
/** The typographic spaces, for which they have a dash too. */
export const SLUG_SPACES =
  '\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f';
/** What they lack: quotes, signs, the tone marks (acute, grave, macron, caron) and characters without width. */
export const SLUG_DROPPED =
  '¡¿«»‹›\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f•©®°…™´\u0300\u0301\u0304\u030c\u00ad' +
  '\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff';
