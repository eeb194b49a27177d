// What any server in Node needs at least for the same pages from the same tables: node:http, mysql2, JSON.stringify.
import { createServer } from 'node:http';
import { createPool } from 'mysql2/promise';
import { page } from './floor-pages.mjs';

const { DATABASE_URL: uri, PORT = '0' } = process.env;
const pool = createPool({ uri, charset: 'utf8mb4', dateStrings: true, connectionLimit: 10 });
const rows = async (statement, values) => (await pool.query(statement, values))[0];

const server = createServer(async (request, response) => {
  try {
    const body = JSON.stringify(await page(request.url, rows));
    response.setHeader('Content-Type', 'application/json; charset=UTF-8');
    response.end(body);
  } catch (error) {
    console.error(error);
    response.statusCode = 500;
    response.end();
  }
});
server.listen(Number(PORT), '127.0.0.1');
