import { AlmanacError, createAlmanacClient, type Page } from 'almanac-client';
import { rejected } from './failure.js';
import { type JsonObject, toList, toObject } from './json.js';

/** The headers that a caller is known by; they live as long as one call. */
export type Credentials = Readonly<Record<string, string>>;

/** One kind of record, without the types of `almanac-client`: arguments come from a model, and the calendar checks them. */
export interface Records {
  list(query: object, options: { signal: AbortSignal }): Promise<Page<object>>;
  get(id: number, options: { query: object; signal: AbortSignal }): Promise<object>;
  create(fields: object, options: { signal: AbortSignal }): Promise<object>;
  update(id: number, changes: object, options: { signal: AbortSignal }): Promise<object>;
  trash(id: number, options: { scope?: string; signal: AbortSignal }): Promise<object>;
}

/** Records by the last part of their path. */
export interface Client {
  events: Records;
  venues: Records;
  organizers: Records;
  categories: Pick<Records, 'list'>;
  tags: Pick<Records, 'list'>;
}

/** What `/openapi.json` of a calendar says. */
export interface Interface {
  document: JsonObject;
  /** Address of the namespace, such as `https://example.org/wp-json/cal/events/v1`. */
  base: string;
}

/** Plugins add fields when the calendar is restarted. */
const DOCUMENT_TTL_MS = 60_000;
const DOCUMENT_TIMEOUT_MS = 20_000;
const MAX_DOCUMENT_LENGTH = 20_000_000;

/** One calendar, with the description of its interface; callers bring their own credentials. */
export class Calendar {
  private described?: { until: number; interface: Promise<Interface> };

  constructor(
    private readonly url: URL,
    private readonly isReadOnly: boolean,
  ) {}

  /** The description, fetched without credentials, at most once a minute. */
  describe(): Promise<Interface> {
    const { described } = this;
    if (described !== undefined && Date.now() < described.until) return described.interface;
    // While it cannot be fetched, the last one is valid.
    const fetched = this.discover().catch((error: unknown) => {
      if (described === undefined) throw error;
      return described.interface;
    });
    const current = { until: Date.now() + DOCUMENT_TTL_MS, interface: fetched };
    this.described = current;
    fetched.catch(() => {
      if (this.described === current) this.described = undefined;
    });
    return fetched;
  }

  /** A client of the calendar for one caller. */
  async clientOf(credentials: Credentials): Promise<Client> {
    const { base } = await this.describe();
    const client = createAlmanacClient({
      baseUrl: base,
      namespace: '',
      auth: credentials,
      fetch: (request) => this.send(request),
    });
    return client as unknown as Client;
  }

  /** A read outside the namespace: the path follows the REST root, as in `wp/v2/users/me`. */
  async readRoot(path: string, credentials: Credentials, signal: AbortSignal): Promise<JsonObject> {
    const { base } = await this.describe();
    const root = base.replace(/(\/[^/]+){2}\/v\d+$/, '');
    const response = await this.send(
      new Request(`${root}/${path}`, { headers: { ...credentials, Accept: 'application/json' }, signal }),
    );
    const body = toObject(await response.json().catch(() => undefined));
    if (response.ok) return body;
    throw new AlmanacError(
      String(body['message'] ?? `Answered ${response.status} without JSON.`),
      response.status,
      String(body['code'] ?? 'no_json'),
    );
  }

  private async send(request: Request): Promise<Response> {
    if (this.isReadOnly && request.method !== 'GET') throw rejected('read_only', 'This server only reads.');
    return fetch(request);
  }

  private async discover(): Promise<Interface> {
    const found = (await this.fetchDocument('openapi.json')) ?? (await this.fetchDocument('/openapi.json'));
    if (found !== undefined) return found;
    throw new AlmanacError(
      `There is no openapi.json of a calendar at ${this.url.origin}; Almanac serves it at its root.`,
      502,
      'no_calendar',
    );
  }

  private async fetchDocument(path: string): Promise<Interface | undefined> {
    const address = new URL(path, this.url);
    const response = await fetch(address, { signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS) });
    const text = response.ok ? await shortText(response) : await response.body?.cancel();
    if (text === undefined) return undefined;
    const document = toObject(parsed(text));
    const [server] = toList(document['servers']);
    const place = toObject(server)['url'];
    if (document['openapi'] === undefined || typeof place !== 'string') return undefined;
    const base = new URL(place, address);
    // Credentials are sent to the named calendar only.
    return base.origin === this.url.origin ? { document, base: base.href.replace(/\/$/, '') } : undefined;
  }
}

/** The body of a response; undefined for a longer one than a document, of which no more is read. */
async function shortText({ body }: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_DOCUMENT_LENGTH) return undefined;
  }
  return text + decoder.decode();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
