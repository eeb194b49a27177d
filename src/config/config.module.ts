import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from './env.js';

/** Provides the validated configuration. */
@Module({})
export class ConfigModule {
  static forRoot(env: Environment): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: Environment, useValue: env }],
      exports: [Environment],
    };
  }
}
