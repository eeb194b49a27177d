import { atomPieces } from './atom.js';
import type { Feed } from './feed.js';
import { jsonFeedPieces } from './json-feed.js';
import { rssPieces } from './rss.js';

/** A kind of feed: where it is below the namespace, its content type, and what writes it. */
export interface FeedKind {
  path: string;
  type: string;
  /** What follows the type in the answer's header. */
  charset?: string;
  pieces(feed: Feed): Iterable<string>;
}

const UTF_8 = '; charset=utf-8';

/** RSS 2.0. */
export const RSS: FeedKind = {
  path: '/events.rss',
  type: 'application/rss+xml',
  charset: UTF_8,
  pieces: rssPieces,
};
/** Atom. */
export const ATOM: FeedKind = {
  path: '/events.atom',
  type: 'application/atom+xml',
  charset: UTF_8,
  pieces: atomPieces,
};
/** JSON Feed 1.1, which has no charset. */
export const JSON_FEED: FeedKind = {
  path: '/events.feed.json',
  type: 'application/feed+json',
  pieces: jsonFeedPieces,
};
