/** Each line is an emoji with its smiley codes; `:mrgreen:` has an image of WordPress. */
const SMILEY_LINES = `
😉 ;-) ;) :wink:
😐 :| :neutral: :-|
😡 :x :mad: :-x
😈 :twisted:
🙂 :smile: :-) :)
😯 :shock: 8O 8-O
🙁 :sad: :-( :(
🙄 :roll:
😛 :razz: :P :-P
😳 :oops:
😮 :o :eek: :-o
mrgreen.png :mrgreen:
😆 :lol:
💡 :idea:
😀 :grin: :D :-D
👿 :evil:
😥 :cry:
😎 :cool: 8-)
➡ :arrow:
😕 :???: :? :-?
❓ :?:
❗ :!:`;

/** The emoji, or image file, of each smiley code. */
export const SMILIES: ReadonlyMap<string, string> = new Map(
  SMILEY_LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const [emoji = '', ...codes] = line.split(' ');
      return codes.map((code): [string, string] => [code, emoji]);
    }),
);
