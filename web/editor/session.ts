import {
  type AlmanacClient,
  AlmanacError,
  applicationPassword,
  nonce as byNonce,
  type Credentials,
  createAlmanacClient,
} from 'almanac-client';
import type { ResourceForm } from '../../src/pages/editor/resource-form.js';
import { fill } from '../../src/pages/texts/fill.js';
import { plural, TEXTS } from './catalogue.js';
import type { Settings } from './settings.js';

const T = TEXTS.frame;

/**
 * A signed-in user. Requests have the nonce of a session, whose cookie no script reads; without a session, the password in
 * the client's closure.
 */
export interface Session {
  client: AlmanacClient;
  id: number;
  name: string;
  /** The time zone that new events begin with. */
  siteZone: string;
  /** Whether they have a capability; nobody has any where the server is read-only. */
  can(capability: string): boolean;
  /** An attachment's small picture; undefined where there is none to be seen. */
  picture(id: string, signal: AbortSignal): Promise<Picture | undefined>;
  /** Stores the alternative text of an attachment. */
  describe(id: string, alt: string): Promise<void>;
  /** Uploads an image; returns its number. */
  upload(file: File): Promise<number>;
  /** The newest uploaded images, with a text in title or file name where one is given. */
  images(text: string, signal: AbortSignal): Promise<Image[]>;
  /** Users who may be authors of records, by the parameters of `wp/v2/users`. */
  authors(query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Author[]>;
  /** A page of the revisions of a record, the newest first; `type` is its post type. */
  revisions(type: string, id: number, page: number, signal: AbortSignal): Promise<RevisionPage>;
  /** The public page of an event with these fields, as HTML; nothing is stored. */
  preview(fields: object): Promise<string>;
  /** The fields and resources of plugins that this user may edit. */
  forms(): Promise<ResourceForm[]>;
}

/** A user who may be the author of records. */
interface Author {
  id: number;
  name: string;
}

/** An attachment's picture: its address, and what it shows. */
export interface Picture {
  source?: string;
  alt: string;
}

/** An image that was uploaded, its title as HTML. */
export interface Image {
  id: number;
  title: string;
  /** The address of its smallest picture. */
  picture?: string;
}

/** The texts of a record as they were stored once. */
export interface Revision {
  id: number;
  /** On the site's clock. */
  date: string;
  author: string;
  isAutosave: boolean;
  title: string;
  description: string;
  excerpt: string;
}

export interface RevisionPage {
  items: Revision[];
  totalPages: number;
}

interface StoredRevision {
  id: number;
  date: string | null;
  author_name: string;
  slug: string;
  title: { raw: string };
  content: { raw: string };
  excerpt: { raw: string };
}

/** Why signing in did not work, in words. */
export class SignInError extends Error {}

interface Me {
  id: number;
  name: string;
  capabilities?: Readonly<Record<string, boolean>>;
}

interface SentError {
  code?: string;
  message?: string;
  data?: { params?: Record<string, string> };
}

interface Media {
  id: number;
  alt_text: string;
  title: { rendered: string };
  source_url?: string;
  media_details?: { sizes?: Readonly<Record<string, { source_url: string }>> };
}

/** Browsers cache no response. No cookie is sent with a password, because WordPress's would determine the user. */
const PRIVATE = { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' } as const;
const WITH_COOKIES = { ...PRIVATE, credentials: 'same-origin' } as const;

/** How requests say whose they are. */
interface Login {
  headers: Credentials;
  options: RequestInit;
}

/** Asks the server who this is; throws a `SignInError` where it does not say. */
export async function signIn(settings: Settings, login: string, password: string): Promise<Session> {
  const headers = applicationPassword(login, password);
  const me = await whoIs(coreOf(settings, { headers, options: PRIVATE }));
  const nonce = await nonceFrom(settings, { method: 'POST', headers });
  return sessionOf(settings, nonce ? loginBy(nonce) : { headers, options: PRIVATE }, me);
}

/** The session that this browser has from before; undefined without one. */
export async function resume(settings: Settings): Promise<Session | undefined> {
  const nonce = await nonceFrom(settings, {});
  if (!nonce) return undefined;
  const login = loginBy(nonce);
  return sessionOf(settings, login, await whoIs(coreOf(settings, login)));
}

/** Ends the session in this browser; false if the server cannot be reached. */
export async function signOut({ session }: Settings): Promise<boolean> {
  const answer = await fetch(session, { ...WITH_COOKIES, method: 'DELETE' }).catch(() => undefined);
  return answer !== undefined && answer.status < 500;
}

const loginBy = (nonce: string): Login => ({ headers: byNonce(nonce), options: WITH_COOKIES });

/** The nonce that the server returns for the session; undefined where it has none. */
async function nonceFrom({ session }: Settings, init: RequestInit): Promise<string | undefined> {
  const answer = await fetch(session, { ...WITH_COOKIES, ...init }).catch(() => undefined);
  if (!answer?.ok) return undefined;
  return ((await answer.json().catch(() => ({}))) as { nonce?: string }).nonce || undefined;
}

type Core = (path: string, signal?: AbortSignal) => Promise<Response>;

const coreOf =
  ({ rest }: Settings, { headers, options }: Login): Core =>
  (path, signal) =>
    fetch(`${rest}/wp/v2/${path}`, { ...options, headers, signal });

function sessionOf(settings: Settings, login: Login, me: Me): Session {
  const { headers, options } = login;
  const core = coreOf(settings, login);
  const post = async (address: string, fields: object) => {
    const answer = await fetch(address, {
      ...options,
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    if (!answer.ok) throw await errorOf(answer);
    return answer;
  };
  return {
    client: createAlmanacClient({
      baseUrl: settings.rest,
      namespace: settings.namespace,
      auth: headers,
      fetch: (request) => fetch(new Request(request, options)),
    }),
    id: me.id,
    name: me.name,
    siteZone: settings.zone,
    can: (capability) => !settings.readOnly && me.capabilities?.[capability] === true,
    forms: async () => {
      const answer = await fetch(settings.forms, { ...options, headers });
      if (!answer.ok) throw new SignInError(errorMessage(answer, 'forms'));
      return (await answer.json()) as ResourceForm[];
    },
    preview: async (fields) => {
      return (await post(settings.preview, fields)).text();
    },
    picture: async (id, signal) => {
      const answer = await core(`media/${id}`, signal);
      if (!answer.ok) return undefined;
      const { source_url: source, media_details: details, alt_text: alt } = (await answer.json()) as Media;
      return { source: details?.sizes?.['medium']?.source_url ?? source, alt };
    },
    describe: async (id, alt) => {
      await post(`${settings.rest}/wp/v2/media/${id}`, { alt_text: alt });
    },
    upload: async (file) => {
      const body = new FormData();
      body.append('file', file);
      const answer = await fetch(`${settings.rest}/wp/v2/media`, {
        ...options,
        method: 'POST',
        headers,
        body,
      });
      const sent = (await answer.json().catch(() => ({}))) as Partial<Media> & { message?: string };
      if (answer.ok && sent.id !== undefined) return sent.id;
      // A proxy may reject a large file itself.
      const tooLarge = answer.status === 413 ? T.tooLarge : T.notStored;
      throw new AlmanacError(sent.message ?? tooLarge, answer.status, 'no_upload');
    },
    revisions: async (type, id, page, signal) => {
      const answer = await core(`${type}/${id}/revisions?context=edit&per_page=20&page=${page}`, signal);
      if (!answer.ok) throw new AlmanacError(T.noRevisions, answer.status, 'no_revisions');
      const items = ((await answer.json()) as StoredRevision[]).map(
        ({ id, date, author_name: author, slug, title, content, excerpt }) => ({
          id,
          date: (date ?? '').replace('T', ' '),
          author,
          isAutosave: slug.includes('-autosave-'),
          title: title.raw,
          description: content.raw,
          excerpt: excerpt.raw,
        }),
      );
      return { items, totalPages: Number(answer.headers.get('X-WP-TotalPages')) };
    },
    authors: async (query, signal) => {
      const answer = await core(`users?${new URLSearchParams(query)}`, signal);
      if (!answer.ok) throw new AlmanacError(TEXTS.authors.failed, answer.status, 'no_authors');
      return (await answer.json()) as Author[];
    },
    images: async (text, signal) => {
      const query = new URLSearchParams({ media_type: 'image', context: 'embed' });
      if (text !== '') query.set('search', text);
      const answer = await core(`media?${query}`, signal);
      if (!answer.ok) throw new AlmanacError(T.noImages, answer.status, 'no_images');
      return ((await answer.json()) as Media[]).map(
        ({ id, title, source_url: source, media_details: details }) => ({
          id,
          title: title.rendered,
          picture: details?.sizes?.['thumbnail']?.source_url ?? source,
        }),
      );
    },
  };
}

/** A refusal of the server as an error of the client. */
async function errorOf(answer: Response): Promise<AlmanacError> {
  const sent: SentError = await answer.json().catch(() => ({}));
  return new AlmanacError(sent.message ?? '', answer.status, sent.code ?? 'no_json', sent.data?.params);
}

async function whoIs(core: Core): Promise<Me> {
  const answer = await core('users/me?context=edit').catch(() => {
    throw new SignInError(T.unreachable);
  });
  const body = (await answer.json().catch(() => ({}))) as Partial<Me> & { code?: string };
  if (answer.ok && body.id !== undefined && body.name !== undefined) return body as Me;
  throw new SignInError(errorMessage(answer, String(body.code)));
}

const REFUSALS: Readonly<Record<string, string>> = {
  application_passwords_disabled: T.plainHttp,
  invalid_username: T.unknownUser,
  invalid_email: T.unknownEmail,
  incorrect_password: T.wrongPassword,
  rest_not_logged_in: T.noPasswords,
};

function errorMessage({ status, headers }: Response, code: string): string {
  if (status === 429) return tooManyAttempts(headers.get('Retry-After'));
  if (status === 503) return T.busyServer;
  return REFUSALS[code] ?? fill(T.notAccepted, { status, code });
}

function tooManyAttempts(after: string | null): string {
  const seconds = Number(after);
  if (after === null || !Number.isFinite(seconds)) return T.attemptsLater;
  if (seconds < 90) return plural(T.attemptsSeconds, Math.max(1, seconds));
  return plural(T.attemptsMinutes, Math.ceil(seconds / 60));
}
