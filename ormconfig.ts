// For TypeORM's command line. It imports from src; nothing in src imports it.
export { default } from './src/database/data-source.js';
