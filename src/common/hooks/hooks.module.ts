import { Global, Module } from '@nestjs/common';
import { Hooks } from './hooks.js';

@Global()
@Module({ providers: [Hooks], exports: [Hooks] })
export class HooksModule {}
