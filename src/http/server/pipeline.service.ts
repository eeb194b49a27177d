import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import type { Express } from 'express';
import { hasNextHandlers } from '../nest-metadata.js';

/** A middleware or a route in Express's router. */
interface Layer {
  route?: { path: unknown };
}

/** Knows whether other code than ours handles a request before or after its controller; decided once, at start. */
@Injectable()
export class Pipeline implements OnApplicationBootstrap {
  private ownLayers = new Set<Layer>();
  private hasHome = false;
  private hasOwnResponses = false;
  private isOwn = false;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Whether no other interceptor or pipe runs: responses may be cached. */
  get isCacheable(): boolean {
    return this.hasOwnResponses;
  }

  /** Whether no other guard or middleware runs either: cached responses may be sent before Express sees a request. */
  get isStock(): boolean {
    return this.isOwn;
  }

  /** Whether a plugin has a route at `/`. */
  get hasOwnHome(): boolean {
    return this.hasHome;
  }

  /** Marks the present middleware as our own. */
  markOwnMiddleware(): void {
    this.ownLayers = new Set(this.layers());
  }

  /** Inspects the configured application before Nest registers middleware and routes. */
  inspect(ownModules: ReadonlySet<unknown>): void {
    const { config, modules } = this;
    const interceptors = config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length;
    const pipes = config.getGlobalPipes().length + config.getGlobalRequestPipes().length;
    const guards = config.getGlobalGuards().length + config.getGlobalRequestGuards().length;
    this.hasOwnResponses = interceptors === 1 && pipes === 1;
    const hasMiddleware =
      this.layers().some((layer) => !this.ownLayers.has(layer)) ||
      [...modules.values()].some(
        ({ metatype, instance }) => !ownModules.has(metatype) && 'configure' in Object(instance),
      ) ||
      hasNextHandlers(modules);
    this.isOwn = this.hasOwnResponses && guards === 0 && !hasMiddleware;
  }

  onApplicationBootstrap(): void {
    this.hasHome = this.layers().some(({ route }) => route?.path === '/');
  }

  private layers(): readonly Layer[] {
    const express: Express = this.host.httpAdapter.getInstance();
    return (express.router as unknown as { stack: readonly Layer[] }).stack;
  }
}
