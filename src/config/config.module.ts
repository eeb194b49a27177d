import { type DynamicModule, Module } from '@nestjs/common';
import { Environment } from './env.js';

/** Makes the validated configuration injectable everywhere. */
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
