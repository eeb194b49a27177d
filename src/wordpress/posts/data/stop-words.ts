/** The stop words of searches by language. */
const BY_LANGUAGE: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    en: 'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www',
    cs: 'bude být byl byla bylo co com do jak jako je jsou kde kdo kdy na nebo od pro se ta tato ten tento to toto ve www za ze že',
    da: 'af at com de den denne det dette en er et for fra hvad hvem hvor hvordan hvornår med om på som til var ved vil være www eller',
    de: 'als am an auf aus bei com das dass dem den der des die diese dieser dieses ein eine einem einen einer eines es für im in ist mit oder sein sind um von vom wann war was wer werden wie wird wo www zu zum zur über',
    el: 'από αυτή αυτό για ένα ή ήταν θα με μία οι ότι πού ποιος πότε προς πώς σε στη στην στο τα της τι το του των ως είναι com www',
    es: 'al com como con cuando cuándo cómo de del desde donde dónde el ella en era es esta este esto la las lo los para por que quien quién qué ser sobre son un una unas unos www él',
    fi: 'com kanssa kuin kuka miten milloin missä mitä olla oli on ovat se tai tämä että www',
    fr: 'au aux avec ce ces cet cette com comme comment dans de des du elle en est il la le les ou où par pour quand que qui quoi sera sont sur un une vers www à était être',
    it: 'al alla che chi com come con cosa da dal dalla de dei del della di dove era essere gli il in la le lo nel nella per quando questa queste questi questo sarà sono su un una uno www è',
    nb: 'at av com de den denne det dette ei eller en er et for fra hva hvem hvor hvordan med når om på som til var ved vil være www',
    nl: 'aan als bij com dat de deze dit door een hoe het in is met naar of om op over te van voor waar wanneer was wat wie www zal zijn',
    pl: 'albo był była było być będzie com co dla do gdzie jak jako jest kiedy kto lub na od przez przy są ta te ten to we www ze że',
    pt: 'ao aos com como da das de do dos em era esta este foi isto na nas no nos onde os ou para por quando que quem ser será sobre são um uma www à às é ela ele',
    ru: 'был была было быть будет во где для из или как когда кто на об от со что эта это этот com www',
    sv: 'att av com de den denna det detta eller en ett från för hur med när om på som till vad var vara vem vid www är',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);

/** Languages that share another's words. */
const SHARED: Readonly<Record<string, string>> = { nn: 'nb', no: 'nb' };

const ENGLISH = BY_LANGUAGE.get('en') ?? new Set<string>();

/** The stop words of a site's language (option `WPLANG`), in lower case; English ones for other languages. */
export function stopWords(locale: string): ReadonlySet<string> {
  const [language = ''] = locale.toLowerCase().split(/[_-]/);
  return BY_LANGUAGE.get(SHARED[language] ?? language) ?? ENGLISH;
}
