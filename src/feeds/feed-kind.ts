import { atomPieces } from './atom.js';
import type { Feed } from './feed.js';
import { jsonFeedPieces } from './json-feed.js';
import { rssPieces } from './rss.js';

/** A kind of feed: its path below the namespace, content type and writer. */
export interface FeedKind {
  path: string;
  type: string;
  charset?: string;
  pieces(feed: Feed): Iterable<string>;
}

const UTF_8 = '; charset=utf-8';

export const RSS: FeedKind = {
  path: '/events.rss',
  type: 'application/rss+xml',
  charset: UTF_8,
  pieces: rssPieces,
};
export const ATOM: FeedKind = {
  path: '/events.atom',
  type: 'application/atom+xml',
  charset: UTF_8,
  pieces: atomPieces,
};
/** JSON Feed 1.1, whose type has no charset. */
export const JSON_FEED: FeedKind = {
  path: '/events.feed.json',
  type: 'application/feed+json',
  pieces: jsonFeedPieces,
};
