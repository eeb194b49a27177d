import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { readEnvironment } from '../config/env.js';
import { loadEnvFile } from '../config/env-file.js';
import { dataSourceOptions } from './data-source-options.js';

loadEnvFile();

/** The configured database for TypeORM's command line; the server itself opens its own in `DatabaseModule`. */
export default new DataSource(dataSourceOptions(readEnvironment(process.env)));
