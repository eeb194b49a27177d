import { Global, Module } from '@nestjs/common';
import { Hooks } from './hooks.js';

/** Filters and actions. */
@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
