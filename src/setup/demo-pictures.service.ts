import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import type { WriteContext } from '../http/request-context.js';
import { AttachmentWriter, type NewImageFile } from '../wordpress/media/attachment-writer.service.js';
import { ImageStore } from '../wordpress/media/image-store.js';
import { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { demoPictures, pictureFile } from './demo-data.js';

/** Adds the pictures of the demo's events to its uploads. */
@Injectable()
export class DemoPictures {
  private readonly files: NewImageFile[] = [];

  constructor(
    private readonly attachments: AttachmentWriter,
    private readonly imageStore: ImageStore,
  ) {}

  /** Makes an attachment of each picture and sets it as the image of its events; without a store, nothing. */
  async add(
    transaction: Transaction,
    events: readonly { id: number; image: string }[],
    context: WriteContext,
  ): Promise<void> {
    if (!this.imageStore.isAvailable) return;
    for (const { name, alt } of demoPictures()) {
      const file = await this.attachments.read(await pictureFile(name), context.settings.media.boxes);
      this.files.push(file);
      const id = await this.attachments.insert(
        transaction,
        file,
        { name: `${name}.webp`, meta: { _wp_attachment_image_alt: alt } },
        context,
      );
      for (const event of events.filter(({ image }) => image === name))
        await MetaWriter.forNew(transaction.manager, event.id).add('_thumbnail_id', String(id)).save();
    }
  }

  /** Removes the working files, and the stored ones if the transaction failed. */
  async release(): Promise<void> {
    for (const file of this.files.splice(0)) await this.attachments.release(file);
  }
}
