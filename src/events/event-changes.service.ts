import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { withImages } from '../http/image-arg.js';
import { Answer } from '../http/answer.js';
import type { RequestContext } from '../http/request-context.js';
import { forbidden, invalidParameters, RestError } from '../http/rest-error.js';
import { cleaningRights } from '../http/write-site.js';
import { ImageImport } from '../wordpress/media/image-import.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import { Cleaning, someLong } from '../wordpress/rendering/cleaning.service.js';
import { EVENT } from './event-type.js';
import type { EventFields } from './event-write.dto.js';
import { EventWriter } from './event-writer.service.js';
import { textsToClean } from './event-texts.js';
import { EventsService } from './events.service.js';

/** Creates, updates and deletes events: who may, in one transaction, answered through the read path. */
@Injectable()
export class EventChangesService {
  constructor(
    private readonly transactions: Transactions,
    private readonly posts: PostsService,
    private readonly writer: EventWriter,
    private readonly events: EventsService,
    private readonly images: ImageImport,
    private readonly cleaning: Cleaning,
    private readonly env: Environment,
  ) {}

  async create(fields: EventFields, context: RequestContext): Promise<Answer> {
    if (!context.access.canOfType('edit', EVENT.type))
      throw forbidden(context.access.signedIn, 'You may not create events.');
    this.checkAuthor(fields, context);
    const write = await this.prepared(fields, context);
    const id = await withImages(this.images, imagesOf(fields), context, (storeImage) =>
      this.transactions.run(async (transaction) =>
        this.writer.insert(transaction, fields, write, storeImage),
      ),
    );
    return new Answer(await this.events.represent(id, context), 201);
  }

  /** Updates the event that the path names; unknown 404, another type 400. */
  async update(id: number, fields: EventFields, context: RequestContext): Promise<Answer> {
    // Nothing is fetched or cleaned for somebody who may not write; the turn to write checks again.
    if (imagesOf(fields).some(Boolean) || someLong(textsToClean(fields)))
      await this.writable(id, 'edit', context);
    const write = await this.prepared(fields, context);
    await withImages(this.images, imagesOf(fields), context, (storeImage) =>
      this.transactions.run(async (transaction) => {
        const post = await this.writable(id, 'edit', context, transaction);
        this.checkAuthor(fields, context);
        await this.writer.update(transaction, post, fields, write, storeImage);
      }),
    );
    return new Answer(await this.events.represent(id, context));
  }

  /** The same by slug, with the same checks of the record (W5). */
  async updateBySlug(slug: string, fields: EventFields, context: RequestContext): Promise<Answer> {
    const id = await this.posts.idBySlug(EVENT.type, slug);
    return this.update(id ?? 0, fields, context);
  }

  /** Trashes the event; 410 when it is in the trash already. Without a trash it is deleted and answered as it was. */
  async remove(id: number, context: RequestContext): Promise<Answer> {
    const keeps = this.env.emptyTrashDays > 0;
    // Read before the turn to write: whoever holds a connection must never wait for another one.
    const last = keeps ? undefined : await this.events.represent(id, context);
    await this.transactions.run(async (transaction) => {
      const post = await this.writable(id, 'delete', context, transaction);
      if (post.status === 'trash')
        throw new RestError('event-is-in-trash', 410, 'The event is in the trash already.');
      if (keeps) await this.writer.trash(transaction, post, context);
      else await this.writer.remove(transaction, post, context);
    });
    return new Answer(last ?? (await this.events.represent(id, context)));
  }

  /** The same by slug; an unknown slug is a parameter that is not valid, as recorded. */
  async removeBySlug(slug: string, context: RequestContext): Promise<Answer> {
    const id = await this.posts.idBySlug(EVENT.type, slug);
    if (id === null) throw invalidParameters([{ name: 'slug', message: 'slug names no event.' }]);
    return this.remove(id, context);
  }

  private async writable(
    id: number,
    operation: 'edit' | 'delete',
    { access }: RequestContext,
    transaction?: Transaction,
  ): Promise<PostRecord> {
    const post = await this.posts.find(id, transaction?.manager);
    if (post ? !access.may(operation, post) : !access.canOfType(operation, EVENT.type))
      throw forbidden(access.signedIn, `You may not ${operation} this event.`);
    if (!post) throw new RestError('rest-event-not-found', 404, `There is no event with the id ${id}.`);
    if (post.type !== EVENT.type)
      throw new RestError('rest-invalid-event-id', 400, `The record with the id ${id} is not an event.`);
    return post;
  }

  private async prepared(fields: EventFields, context: RequestContext): Promise<RequestContext> {
    const cleaner = await this.cleaning.prepare(context, cleaningRights(context), textsToClean(fields));
    return { ...context, cleaner };
  }

  private checkAuthor({ author }: EventFields, { access }: RequestContext): void {
    if (author !== undefined && !access.mayMakeAuthor(EVENT.type, author))
      throw forbidden(
        access.signedIn,
        'You may not make somebody else the author.',
        'rest_cannot_edit_others',
      );
  }
}

/** Every image that an event's fields name: its own and those of inline venues and organizers. */
function imagesOf({ image, venue = [], organizer = [] }: EventFields): (string | undefined)[] {
  return [
    image,
    ...[...venue, ...organizer].map((wish) => ('fields' in wish ? wish.fields.image : undefined)),
  ];
}
