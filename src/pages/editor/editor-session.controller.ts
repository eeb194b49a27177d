import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { parseBasicHeader } from '../../auth/application-login.js';
import { PageSessions, SESSION_COOKIE } from '../../auth/page-sessions.service.js';
import { forbidden } from '../../common/errors/rest-exception.js';
import { Environment } from '../../config/env.js';
import { noRoute } from '../../http/errors/error-response.js';
import { RequestContexts } from '../../http/request-contexts.service.js';
import { Undocumented } from '../../http/undocumented.decorator.js';

const PRIVATE = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' };

/** The session that the editor's page keeps when it is reloaded (docs/editor.md#signing-in). */
@Undocumented()
@Controller('editor/session')
export class EditorSessionController {
  constructor(
    private readonly env: Environment,
    private readonly contexts: RequestContexts,
    private readonly sessions: PageSessions,
  ) {}

  /** Begins a session for the application password of the request; the nonce goes into the page, not into the cookie. */
  @Post()
  async begin(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.prepare(response);
    // WordPress's login cookie would determine the user.
    delete request.headers.cookie;
    const { user } = await this.contexts.authenticate(request);
    const credentials = parseBasicHeader(request.headers.authorization);
    const session = user && credentials && (await this.sessions.begin(user.id, credentials));
    if (!session) throw forbidden('Sessions are for users who sign in with an application password.');
    response.cookie(SESSION_COOKIE, session.cookie, this.cookie(request));
    return { nonce: session.nonce };
  }

  /** The nonce of the session; the empty one without a session. */
  @Get()
  async read(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.prepare(response);
    const session = await this.sessions.find(request.headers.cookie);
    return { nonce: session?.nonce ?? '' };
  }

  /** Forgets the session in this browser. */
  @Delete()
  end(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    this.prepare(response);
    response.clearCookie(SESSION_COOKIE, this.cookie(request));
    return { nonce: '' };
  }

  private prepare(response: Response): void {
    if (this.env.editor === 'off') throw noRoute();
    response.set(PRIVATE);
  }

  /** No path of the page's own: the interface, which reads it, may lie beside the page below a proxy's path. */
  private cookie({ secure }: Request): CookieOptions {
    return { httpOnly: true, sameSite: 'strict', secure, path: '/', encode: String };
  }
}
