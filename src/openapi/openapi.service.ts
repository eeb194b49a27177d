import {
  type INestApplication,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { cookieName } from '../auth/login-cookie.js';
import { secretOf } from '../auth/secrets.js';
import { EventLoopYielder } from '../common/event-loop.js';
import { Environment } from '../config/env.js';
import { FieldRegistry } from '../resources/base/field-registry.js';
import { recordSchemas } from '../resources/base/json-schema.js';
import { normalizedSchemas } from '../resources/base/normalized-schema.js';
import { Resources } from '../resources/base/resources.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { ErrorJson } from './error-json.js';
import { RouteTable } from './route-table.js';

const BY_PASSWORD = { basic: [] };
const BY_COOKIE = { cookie: [], nonce: [] };

const load = () => import('./openapi.js');
type Make = Awaited<ReturnType<typeof load>>['toOpenApi'];
type Document = Awaited<ReturnType<Make>>;
type OpenApiParts = Parameters<Make>[2];

/** Milliseconds after the start until Swagger is loaded: its hundreds of files block other requests. */
const LOAD_DELAY_MS = 10_000;

/** Builds and caches the document of `/openapi.json`. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap, OnApplicationShutdown {
  private loading?: NodeJS.Timeout;
  private app: INestApplication;
  /** With and without login cookies. */
  private readonly documents = new Map<boolean, Promise<Document>>();

  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly table: RouteTable,
    private readonly resources: Resources,
    private readonly fields: FieldRegistry,
  ) {}

  /** Sets the application whose controllers are documented. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  onApplicationBootstrap(): void {
    this.loading = setTimeout(() => load().catch(() => undefined), LOAD_DELAY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearTimeout(this.loading);
  }

  /** The document, built on the first request. */
  async document() {
    const { apiNamespaces, pathPrefix, restBaseUrl } = this.env;
    const servers = apiNamespaces.flatMap((name) => [
      // Relative to the document, so that it works behind any proxy.
      { url: `.${pathPrefix}/${name}`, description: 'This server' },
      { url: `${restBaseUrl}/${name}`, description: 'Public address' },
    ]);
    const { links, options } = await this.settings.current();
    const hasCookies = (['logged_in', 'nonce'] as const).every((name) =>
      secretOf(name, this.env.secrets, options),
    );
    const pending =
      this.documents.get(hasCookies) ??
      this.make({ servers, signedIn: hasCookies ? [BY_PASSWORD, BY_COOKIE] : [BY_PASSWORD] });
    this.documents.set(hasCookies, pending);
    const { components, ...rest } = await pending;
    const cookie = { type: 'apiKey', in: 'cookie', description: "WordPress's login cookie." };
    const securitySchemes = {
      basic: { type: 'http', scheme: 'basic', description: 'User name and an application password.' },
      ...(hasCookies && {
        cookie: { ...cookie, name: cookieName('logged_in', links.siteUrl) },
        nonce: { type: 'apiKey', in: 'header', name: 'X-WP-Nonce', description: 'Goes with the cookie.' },
      }),
    };
    return { ...rest, components: { ...components, securitySchemes } };
  }

  private async make(said: Pick<OpenApiParts, 'servers' | 'signedIn'>): Promise<Document> {
    const { toOpenApi } = await load();
    const yielder = new EventLoopYielder();
    // Loading ran without yielding.
    await yielder.yield();
    const all = this.resources.all();
    const schemas = recordSchemas(all, this.fields, ErrorJson);
    if (yielder.shouldYield) await yielder.yield();
    return toOpenApi(this.app, this.table, {
      ...said,
      schemas: { ...schemas, ...normalizedSchemas(all, this.fields) },
    });
  }
}
