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
  /** Whether no other interceptor or pipe runs: responses may be cached. */
  isCacheable = false;
  /** Whether no other guard or middleware runs either: cached responses may be sent before Express sees a request. */
  isStock = false;
  /** Whether a plugin has a route at `/`. */
  hasOwnHome = false;

  constructor(
    private readonly config: ApplicationConfig,
    private readonly modules: ModulesContainer,
    private readonly host: HttpAdapterHost,
  ) {}

  markOwnMiddleware(): void {
    this.ownLayers = new Set(this.layers());
  }

  /** Inspects the configured application before Nest registers middleware and routes. */
  inspect(ownModules: ReadonlySet<unknown>): void {
    const { config, modules } = this;
    const interceptors = config.getGlobalInterceptors().length + config.getGlobalRequestInterceptors().length;
    const pipes = config.getGlobalPipes().length + config.getGlobalRequestPipes().length;
    const guards = config.getGlobalGuards().length + config.getGlobalRequestGuards().length;
    this.isCacheable = interceptors === 1 && pipes === 1;
    const hasMiddleware =
      this.layers().some((layer) => !this.ownLayers.has(layer)) ||
      [...modules.values()].some(
        ({ metatype, instance }) => !ownModules.has(metatype) && 'configure' in Object(instance),
      ) ||
      hasNextHandlers(modules);
    this.isStock = this.isCacheable && guards === 0 && !hasMiddleware;
  }

  onApplicationBootstrap(): void {
    this.hasOwnHome = this.layers().some(({ route }) => route?.path === '/');
  }

  private layers(): readonly Layer[] {
    const express: Express = this.host.httpAdapter.getInstance();
    return (express.router as unknown as { stack: readonly Layer[] }).stack;
  }
}
