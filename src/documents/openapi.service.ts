import { type INestApplication, Injectable } from '@nestjs/common';
import { cookieName } from '../auth/login-cookie.js';
import { secretOf } from '../auth/secrets.js';
import { Environment } from '../config/env.js';
import { cleanSchemas } from '../resources/clean-schema.js';
import { FieldRegistry } from '../resources/field-registry.js';
import { recordSchemas } from '../resources/json-schema.js';
import { Resources } from '../resources/resources.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { ErrorJson } from './error-json.js';
import { RouteTable } from './route-table.js';

const BY_PASSWORD = { basic: [] };
const BY_COOKIE = { cookie: [], nonce: [] };

type Document = ReturnType<typeof import('./openapi.js')['toOpenApi']>;

/** Keeps the document of `/openapi.json`. */
@Injectable()
export class OpenApiService {
  private app: INestApplication;
  /** With and without login cookies. */
  private readonly made = new Map<boolean, Promise<Document>>();

  constructor(
    private readonly env: Environment,
    private readonly settings: SettingsService,
    private readonly table: RouteTable,
    private readonly resources: Resources,
    private readonly fields: FieldRegistry,
  ) {}

  /** Names the application whose controllers are documented. */
  describe(app: INestApplication): void {
    this.app = app;
  }

  /** The document. Only the first time that it is asked for it is made, and Swagger loaded. */
  async document() {
    const { apiNamespaces, pathPrefix, restBaseUrl } = this.env;
    const servers = apiNamespaces.flatMap((name) => [
      // Relative to the document, so that it holds behind any proxy.
      { url: `.${pathPrefix}/${name}`, description: 'This server' },
      { url: `${restBaseUrl}/${name}`, description: 'Public address' },
    ]);
    const { links, options } = await this.settings.current();
    const hasCookies = (['logged_in', 'nonce'] as const).every((name) =>
      secretOf(name, this.env.secrets, options),
    );
    const all = this.resources.all();
    const made =
      this.made.get(hasCookies) ??
      import('./openapi.js').then(({ toOpenApi }) =>
        toOpenApi(this.app, this.table, {
          servers,
          schemas: {
            ...recordSchemas(all, this.fields, ErrorJson),
            ...cleanSchemas(all, this.fields),
          },
          signedIn: hasCookies ? [BY_PASSWORD, BY_COOKIE] : [BY_PASSWORD],
        }),
      );
    this.made.set(hasCookies, made);
    const { components, ...rest } = await made;
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
}
