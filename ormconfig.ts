import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { ownEnvironment } from './src/config/env.js';
import { dataSourceOptions } from './src/database/data-source-options.js';

/** The configured database for TypeORM's command line; the server itself opens its own in `DatabaseModule`. */
export default new DataSource(dataSourceOptions(ownEnvironment()));
