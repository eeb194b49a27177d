/** Emoji, each with its smiley codes; `:mrgreen:` has an image of WordPress. */
const EMOJI = `
  😉 ;-) ;) :wink:, 😐 :| :neutral: :-|, 😡 :x :mad: :-x, 😈 :twisted:, 🙂 :smile: :-) :), 😯 :shock: 8O 8-O,
  🙁 :sad: :-( :(, 🙄 :roll:, 😛 :razz: :P :-P, 😳 :oops:, 😮 :o :eek: :-o, mrgreen.png :mrgreen:, 😆 :lol:,
  💡 :idea:, 😀 :grin: :D :-D, 👿 :evil:, 😥 :cry:, 😎 :cool: 8-), ➡ :arrow:, 😕 :???: :? :-?, ❓ :?:, ❗ :!:`;

/** The emoji, or image file, of each smiley code. */
export const SMILIES: ReadonlyMap<string, string> = new Map(
  EMOJI.trim()
    .split(/,\s+/)
    .flatMap((entry) => {
      const [emoji = '', ...codes] = entry.split(' ');
      return codes.map((code) => [code, emoji] as const);
    }),
);
