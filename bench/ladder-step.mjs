// One step of the ladder (ladder.mjs) between a bare server and Almanac: the pages of the floor, and events created, by
// what the environment names. ROWS: `none` (a ready answer), `mysql2`, `typeorm`; TRANSPORT: `http`, `express`, `nest`;
// TRUTH: with what a write must know and keep beside its rows.
import 'reflect-metadata';
import { createServer } from 'node:http';
import { Controller, Get, Module, Post, Query, Req } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import express from 'express';
import { createPool } from 'mysql2/promise';
import { mergeMap, of } from 'rxjs';
import { DataSource } from 'typeorm';
import { events, page } from './floor-pages.mjs';
import { insert, rowsOf } from './writes.mjs';

const { DATABASE_URL: uri, PORT, ROWS, TRANSPORT, TRUTH } = process.env;
const database = { charset: 'utf8mb4', dateStrings: true };
const PATHS = ['/events', '/events/:id', '/events/by-slug/:slug'];
const READY = { events: [{ text: 'x'.repeat(4000) }] };

const pool = ROWS === 'typeorm' ? await ofTypeorm() : createPool({ uri, ...database, connectionLimit: 10 });
const rows = async (statement, values) => (await pool.query(statement, values))[0];
let copied;
let created = 0;

/** TypeORM's connections, as mysql2 offers its own. */
async function ofTypeorm() {
  const source = new DataSource({
    type: 'mysql',
    url: uri,
    poolSize: 10,
    bigNumberStrings: false,
    ...database,
  });
  await source.initialize();
  const query = async (statement, values) => [await source.query(statement, values)];
  const getConnection = async () => {
    const runner = source.createQueryRunner();
    return {
      beginTransaction: () => runner.startTransaction(),
      query: async (statement, values) => [await runner.query(statement, values)],
      commit: () => runner.commitTransaction(),
      release: () => runner.release(),
    };
  };
  return { query, getConnection };
}

const LOOK_UP = `SELECT post_name FROM wp_posts WHERE post_name IN (?) AND ID <> 0 AND post_type = 'tribe_events'`;
const USER = `SELECT u.ID, u.user_login, u.user_pass, m.umeta_id, m.meta_key, m.meta_value FROM wp_users u LEFT JOIN
  wp_usermeta m ON m.user_id = u.ID AND m.meta_key IN ('wp_capabilities', '_application_passwords') WHERE u.user_login = 'admin'`;
const TURN = "UPDATE wp_options SET option_value = ? WHERE option_name = 'tribe_last_save_post'";
const RANGE =
  "SELECT option_value FROM wp_options WHERE option_name = 'tribe_events_calendar_options' FOR UPDATE";
const ENDS = `SELECT p.ID, MIN(o.start_date_utc), MAX(o.end_date_utc) FROM wp_posts p JOIN wp_tec_occurrences o
  ON o.post_id = p.ID WHERE p.ID IN (?) AND p.post_type = 'tribe_events' GROUP BY p.ID`;

/** Who writes, the turn of writers, a free slug, the ends of the calendar, and what was written as it stands then. */
async function createdTruly(number) {
  await rows(USER, []);
  const before = async (connection) => {
    await connection.query(TURN, [String(performance.now())]);
    await connection.query(LOOK_UP, [Array.from({ length: 10 }, (_, at) => `evening-${number}-${at}`)]);
  };
  const after = async (connection, id) => {
    await connection.query(RANGE, []);
    await connection.query(ENDS, [[id, 1, 2]]);
  };
  const [event] = await events([await insert(pool, copied, number, before, after)], rows);
  return event;
}

async function answer({ method, url }) {
  if (method === 'GET') return ROWS === 'none' ? READY : page(url, rows);
  copied ??= await rowsOf(pool, Number(process.env.EVENT));
  const number = `${process.pid}-${++created}`;
  return TRUTH ? createdTruly(number) : { id: await insert(pool, copied, number) };
}

async function send(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (chunks.length > 0) JSON.parse(Buffer.concat(chunks));
  response.statusCode = request.method === 'POST' ? 201 : 200;
  response.setHeader('Content-Type', 'application/json; charset=UTF-8');
  response.end(JSON.stringify(await answer(request)));
}

/** A controller with one guard, pipe and interceptor. */
async function nest() {
  class Pages {}
  const route = (name, method) => {
    const descriptor = { value: (request) => answer(request), configurable: true };
    Object.defineProperty(Pages.prototype, name, descriptor);
    Req()(Pages.prototype, name, 0);
    Query()(Pages.prototype, name, 1);
    method(PATHS)(Pages.prototype, name, descriptor);
  };
  route('page', Get);
  route('create', Post);
  Controller()(Pages);
  class App {}
  Module({ controllers: [Pages] })(App);
  const app = await NestFactory.create(App, { logger: ['error'] });
  app.set('etag', false);
  app.useGlobalGuards({ canActivate: () => true });
  app.useGlobalPipes({ transform: async (value) => value });
  app.useGlobalInterceptors({
    intercept: (_context, next) => of(undefined).pipe(mergeMap(() => next.handle())),
  });
  await app.listen(Number(PORT), '127.0.0.1');
}

if (TRANSPORT === 'nest') await nest();
else if (TRANSPORT === 'express') express().all(PATHS, send).listen(Number(PORT), '127.0.0.1');
else createServer(send).listen(Number(PORT), '127.0.0.1');
