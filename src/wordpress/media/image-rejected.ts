/** An image can not be used; the message completes "image …" and may be shown to whoever asked. */
export class ImageRejected extends Error {}
