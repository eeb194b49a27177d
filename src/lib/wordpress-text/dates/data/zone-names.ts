/** Zone names by something that they share, from lines `what: zones`, which continue where they are indented deeper. */
function zoneGroups(lines: string): readonly (readonly [what: string, zones: readonly string[]])[] {
  return lines
    .trim()
    .split(/\n {2}(?! )/)
    .map((line) => {
      const [what = '', zones = ''] = line.split(/:\s+/);
      return [what, zones.split(/\s+/)];
    });
}

/**
 * Every name of the IANA time zone database (2025b), grouped by the abbreviations of its offsets (in seconds) since 1970:
 * the alternating list `offset abbreviation`. A zone of the first group, or at an unlisted offset, has only the numeric
 * abbreviation (`-03`).
 */
export const ZONE_GROUPS = zoneGroups(`
  numeric: Africa/Casablanca Africa/El_Aaiun America/Araguaina America/Argentina/Buenos_Aires
    America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba
    America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza
    America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan
    America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Asuncion
    America/Bahia America/Belem America/Boa_Vista America/Bogota America/Buenos_Aires America/Campo_Grande
    America/Caracas America/Catamarca America/Cayenne America/Cordoba America/Coyhaique America/Cuiaba
    America/Eirunepe America/Fortaleza America/Godthab America/Guayaquil America/Guyana America/Jujuy
    America/La_Paz America/Lima America/Maceio America/Manaus America/Mendoza America/Montevideo
    America/Noronha America/Nuuk America/Paramaribo America/Porto_Acre America/Porto_Velho
    America/Punta_Arenas America/Recife America/Rio_Branco America/Rosario America/Santarem America/Santiago
    America/Sao_Paulo America/Scoresbysund Antarctica/Casey Antarctica/Davis Antarctica/DumontDUrville
    Antarctica/Mawson Antarctica/Palmer Antarctica/Rothera Antarctica/Syowa Antarctica/Troll Antarctica/Vostok
    Asia/Aden Asia/Almaty Asia/Anadyr Asia/Aqtau Asia/Aqtobe Asia/Ashgabat Asia/Ashkhabad Asia/Atyrau
    Asia/Baghdad Asia/Bahrain Asia/Baku Asia/Bangkok Asia/Barnaul Asia/Bishkek Asia/Brunei Asia/Chita
    Asia/Choibalsan Asia/Colombo Asia/Dacca Asia/Dhaka Asia/Dili Asia/Dubai Asia/Dushanbe Asia/Ho_Chi_Minh
    Asia/Hovd Asia/Irkutsk Asia/Kabul Asia/Kamchatka Asia/Kashgar Asia/Kathmandu Asia/Katmandu Asia/Khandyga
    Asia/Krasnoyarsk Asia/Kuala_Lumpur Asia/Kuching Asia/Kuwait Asia/Magadan Asia/Muscat Asia/Novokuznetsk
    Asia/Novosibirsk Asia/Omsk Asia/Oral Asia/Phnom_Penh Asia/Qatar Asia/Qostanay Asia/Qyzylorda Asia/Rangoon
    Asia/Riyadh Asia/Saigon Asia/Sakhalin Asia/Samarkand Asia/Singapore Asia/Srednekolymsk Asia/Tashkent
    Asia/Tbilisi Asia/Tehran Asia/Thimbu Asia/Thimphu Asia/Tomsk Asia/Ulaanbaatar Asia/Ulan_Bator Asia/Urumqi
    Asia/Ust-Nera Asia/Vientiane Asia/Vladivostok Asia/Yakutsk Asia/Yangon Asia/Yekaterinburg Asia/Yerevan
    Atlantic/Cape_Verde Atlantic/South_Georgia Atlantic/Stanley Australia/Eucla Brazil/Acre Brazil/DeNoronha
    Brazil/East Brazil/West Chile/Continental Chile/EasterIsland Etc/GMT+1 Etc/GMT+10 Etc/GMT+11 Etc/GMT+12
    Etc/GMT+2 Etc/GMT+3 Etc/GMT+4 Etc/GMT+5 Etc/GMT+6 Etc/GMT+7 Etc/GMT+8 Etc/GMT+9 Etc/GMT-1 Etc/GMT-10
    Etc/GMT-11 Etc/GMT-12 Etc/GMT-13 Etc/GMT-14 Etc/GMT-2 Etc/GMT-3 Etc/GMT-4 Etc/GMT-5 Etc/GMT-6 Etc/GMT-7
    Etc/GMT-8 Etc/GMT-9 Europe/Astrakhan Europe/Samara Europe/Saratov Europe/Ulyanovsk Indian/Chagos
    Indian/Christmas Indian/Cocos Indian/Kerguelen Indian/Mahe Indian/Maldives Indian/Mauritius Indian/Reunion
    Iran Kwajalein NZ-CHAT Pacific/Apia Pacific/Bougainville Pacific/Chatham Pacific/Chuuk Pacific/Easter
    Pacific/Efate Pacific/Enderbury Pacific/Fakaofo Pacific/Fiji Pacific/Funafuti Pacific/Galapagos
    Pacific/Gambier Pacific/Guadalcanal Pacific/Kanton Pacific/Kiritimati Pacific/Kosrae Pacific/Kwajalein
    Pacific/Majuro Pacific/Marquesas Pacific/Nauru Pacific/Niue Pacific/Norfolk Pacific/Noumea Pacific/Palau
    Pacific/Pitcairn Pacific/Pohnpei Pacific/Ponape Pacific/Port_Moresby Pacific/Rarotonga Pacific/Tahiti
    Pacific/Tarawa Pacific/Tongatapu Pacific/Truk Pacific/Wake Pacific/Wallis Pacific/Yap Singapore
  0 GMT: Africa/Abidjan Africa/Accra Africa/Bamako Africa/Banjul Africa/Bissau Africa/Conakry Africa/Dakar
    Africa/Freetown Africa/Lome Africa/Nouakchott Africa/Ouagadougou Africa/Timbuktu America/Danmarkshavn
    Atlantic/Reykjavik Atlantic/St_Helena Etc/GMT Etc/GMT+0 Etc/GMT-0 Etc/GMT0 Etc/Greenwich GMT GMT+0 GMT-0
    GMT0 Greenwich Iceland
  10800 EAT: Africa/Addis_Ababa Africa/Asmara Africa/Asmera Africa/Dar_es_Salaam Africa/Djibouti
    Africa/Kampala Africa/Mogadishu Africa/Nairobi Indian/Antananarivo Indian/Comoro Indian/Mayotte
  0 WET 3600 CET 7200 CEST: Africa/Algiers Africa/Ceuta
  3600 WAT: Africa/Bangui Africa/Brazzaville Africa/Douala Africa/Kinshasa Africa/Lagos Africa/Libreville
    Africa/Luanda Africa/Malabo Africa/Niamey Africa/Porto-Novo
  7200 CAT: Africa/Blantyre Africa/Bujumbura Africa/Gaborone Africa/Harare Africa/Kigali Africa/Lubumbashi
    Africa/Lusaka Africa/Maputo
  7200 EET 10800 EEST: Africa/Cairo Asia/Beirut Asia/Famagusta Asia/Gaza Asia/Hebron Asia/Nicosia EET Egypt
    Europe/Athens Europe/Bucharest Europe/Helsinki Europe/Mariehamn Europe/Nicosia Europe/Sofia
  7200 SAST: Africa/Johannesburg Africa/Maseru Africa/Mbabane
  7200 CAT 10800 EAT: Africa/Juba Africa/Khartoum
  -2670 MMT 0 GMT: Africa/Monrovia
  3600 WAT 7200 WAST: Africa/Ndjamena
  0 GMT 3600 WAT: Africa/Sao_Tome
  3600 CET 7200 EET: Africa/Tripoli Libya
  3600 CET 7200 CEST: Africa/Tunis Arctic/Longyearbyen Atlantic/Jan_Mayen CET Europe/Amsterdam Europe/Andorra
    Europe/Belgrade Europe/Berlin Europe/Bratislava Europe/Brussels Europe/Budapest Europe/Busingen
    Europe/Copenhagen Europe/Gibraltar Europe/Ljubljana Europe/Luxembourg Europe/Madrid Europe/Malta
    Europe/Monaco Europe/Oslo Europe/Paris Europe/Podgorica Europe/Prague Europe/Rome Europe/San_Marino
    Europe/Sarajevo Europe/Skopje Europe/Stockholm Europe/Tirane Europe/Vaduz Europe/Vatican Europe/Vienna
    Europe/Warsaw Europe/Zagreb Europe/Zurich Poland
  3600 WAT 7200 CAT: Africa/Windhoek
  -39600 BST -36000 HST -32400 HDT: America/Adak America/Atka US/Aleutian
  -36000 AHST -32400 AKST -28800 AKDT: America/Anchorage US/Alaska
  -14400 AST: America/Anguilla America/Antigua America/Aruba America/Blanc-Sablon America/Curacao
    America/Dominica America/Grenada America/Guadeloupe America/Kralendijk America/Lower_Princes
    America/Marigot America/Miquelon America/Montserrat America/Port_of_Spain America/Puerto_Rico
    America/St_Barthelemy America/St_Kitts America/St_Lucia America/St_Thomas America/St_Vincent
    America/Tortola America/Virgin
  -18000 EST: America/Atikokan America/Cayman America/Coral_Harbour America/Panama EST
  -25200 MST -21600 CST -18000 CDT: America/Bahia_Banderas America/Chihuahua America/North_Dakota/Beulah
    America/North_Dakota/Center America/North_Dakota/New_Salem America/Ojinaga
  -14400 AST -10800 ADT: America/Barbados America/Glace_Bay America/Halifax America/Martinique America/Moncton
    America/Thule Atlantic/Bermuda Canada/Atlantic
  -21600 CST -18000 CDT: America/Belize America/Chicago America/Costa_Rica America/El_Salvador
    America/Guatemala America/Indiana/Knox America/Knox_IN America/Managua America/Matamoros America/Menominee
    America/Merida America/Mexico_City America/Monterrey America/Rainy_River America/Rankin_Inlet
    America/Resolute America/Tegucigalpa America/Winnipeg CST6CDT Canada/Central Mexico/General US/Central
    US/Indiana-Starke
  -25200 MST -21600 MDT: America/Boise America/Denver America/Edmonton America/Hermosillo America/Mazatlan
    America/Shiprock America/Yellowknife Canada/Mountain MST7MDT Mexico/BajaSur Navajo US/Mountain
  -25200 MST -21600 MDT -18000 CDT: America/Cambridge_Bay America/Ciudad_Juarez
  -21600 CST -18000 EST -14400 EDT: America/Cancun America/Indiana/Petersburg America/Indiana/Vincennes
    America/Indiana/Winamac America/Iqaluit America/Kentucky/Monticello America/Pangnirtung
  -25200 MST: America/Creston America/Phoenix MST US/Arizona
  -32400 YST -28800 PST -25200 MST: America/Dawson
  -28800 PST -25200 MST: America/Dawson_Creek America/Fort_Nelson America/Whitehorse Canada/Yukon
  -18000 EST -14400 EDT: America/Detroit America/Fort_Wayne America/Grand_Turk America/Indiana/Indianapolis
    America/Indiana/Marengo America/Indiana/Vevay America/Indianapolis America/Jamaica
    America/Kentucky/Louisville America/Louisville America/Montreal America/Nassau America/New_York
    America/Nipigon America/Port-au-Prince America/Thunder_Bay America/Toronto Canada/Eastern EST5EDT Jamaica
    US/East-Indiana US/Eastern US/Michigan
  -28800 PST -25200 PDT: America/Ensenada America/Los_Angeles America/Santa_Isabel America/Tijuana
    America/Vancouver Canada/Pacific Mexico/BajaNorte PST8PDT US/Pacific
  -14400 AST -10800 ADT -7200 ADDT: America/Goose_Bay
  -18000 CST -14400 CDT: America/Havana Cuba
  -21600 CST -18000 CDT -14400 EDT: America/Indiana/Tell_City
  -28800 PST -25200 MST -21600 MDT: America/Inuvik
  -32400 AKST -28800 AKDT -25200 PDT: America/Juneau America/Metlakatla America/Sitka
  -39600 BST -36000 BDT -32400 AKST -28800 AKDT: America/Nome
  -21600 CST: America/Regina Canada/Saskatchewan
  -18000 EST -14400 AST: America/Santo_Domingo
  -12600 NST -9000 NDT -5400 NDDT: America/St_Johns Canada/Newfoundland
  -25200 MST -21600 CST: America/Swift_Current
  -32400 AKST -28800 AKDT: America/Yakutat
  36000 AEST 39600 AEDT: Antarctica/Macquarie Australia/ACT Australia/Brisbane Australia/Canberra
    Australia/Currie Australia/Hobart Australia/Lindeman Australia/Melbourne Australia/NSW
    Australia/Queensland Australia/Sydney Australia/Tasmania Australia/Victoria
  43200 NZST 46800 NZDT: Antarctica/McMurdo Antarctica/South_Pole NZ Pacific/Auckland
  7200 EET: Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul Turkey
  19800 IST: Asia/Calcutta Asia/Kolkata
  28800 CST 32400 CDT: Asia/Chongqing Asia/Chungking Asia/Harbin Asia/Macao Asia/Macau Asia/Shanghai
    Asia/Taipei PRC ROC
  28800 HKT 32400 HKST: Asia/Hong_Kong Hongkong
  25200 WIB: Asia/Jakarta
  32400 WIT: Asia/Jayapura
  7200 IST 10800 IDT: Asia/Jerusalem Asia/Tel_Aviv Israel
  18000 PKT 21600 PKST: Asia/Karachi
  28800 WITA: Asia/Makassar Asia/Ujung_Pandang
  28800 PST 32400 PDT: Asia/Manila
  25200 WIB 28800 WITA: Asia/Pontianak
  30600 KST 32400 KST: Asia/Pyongyang
  32400 KST 36000 KDT: Asia/Seoul ROK
  32400 JST: Asia/Tokyo Japan
  3600 WEST: Atlantic/Azores
  0 WET 3600 WEST: Atlantic/Canary Atlantic/Faeroe Atlantic/Faroe Atlantic/Madeira WET
  34200 ACST 37800 ACDT: Australia/Adelaide Australia/Broken_Hill Australia/South Australia/Yancowinna
  34200 ACST: Australia/Darwin Australia/North
  36000 AEST: Australia/LHI Australia/Lord_Howe
  28800 AWST 32400 AWDT: Australia/Perth Australia/West
  0 GMT 3600 IST: Eire Europe/Dublin
  0 UTC: Etc/UCT Etc/UTC Etc/Universal Etc/Zulu UCT UTC Universal Zulu
  0 GMT 3600 BST: Europe/Belfast Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London GB GB-Eire
  7200 EET 10800 EEST 14400 MSD: Europe/Chisinau Europe/Kiev Europe/Kyiv Europe/Riga Europe/Tallinn
    Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye
  7200 EET 14400 MSD: Europe/Kaliningrad Europe/Minsk
  10800 MSK 14400 MSK: Europe/Kirov
  0 WET 3600 WEST 7200 CEST: Europe/Lisbon Portugal
  7200 EET 10800 MSK 14400 MSK: Europe/Moscow Europe/Simferopol W-SU
  3600 CET 7200 EET 10800 EEST 14400 MSD: Europe/Vilnius
  10800 MSK: Europe/Volgograd
  -36000 HST: HST Pacific/Honolulu Pacific/Johnston US/Hawaii
  3600 MET 7200 MEST: MET
  36000 ChST 39600 GDT: Pacific/Guam Pacific/Saipan
  -39600 SST: Pacific/Midway Pacific/Pago_Pago Pacific/Samoa US/Samoa`);

/** Substitutes for numeric abbreviations (vectors timezone_abbr_all): PHP's first abbreviation that mentions the zone. */
export const NUMERIC_NAME_SUBSTITUTES = zoneGroups(`
  AEST: Australia/LHI Australia/Lord_Howe
  AMT: America/Asuncion
  AST: America/Miquelon
  BMT: America/Bogota Asia/Baghdad Asia/Bangkok Asia/Phnom_Penh Asia/Vientiane
  BST: America/La_Paz
  CEST: Europe/Minsk
  CMT: America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia
    America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza
    America/Argentina/Rio_Gallegos America/Argentina/Salta America/Argentina/San_Juan
    America/Argentina/San_Luis America/Argentina/Tucuman America/Argentina/Ushuaia America/Buenos_Aires
    America/Caracas America/Catamarca America/Cordoba America/Jujuy America/Mendoza America/Rosario
  EEST: Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul Turkey
  EMT: Chile/EasterIsland Pacific/Easter
  HMT: Asia/Dacca Asia/Dhaka Atlantic/Azores
  IMT: Asia/Irkutsk
  MMT: America/Montevideo Asia/Colombo Indian/Maldives
  PLMT: Asia/Ho_Chi_Minh Asia/Saigon
  PMT: America/Paramaribo Asia/Yekaterinburg
  QMT: America/Guayaquil
  RMT: Asia/Rangoon Asia/Yangon
  SMT: America/Punta_Arenas America/Santiago Asia/Kuala_Lumpur Asia/Singapore Atlantic/Stanley
    Chile/Continental Singapore
  TBMT: Asia/Tbilisi
  TMT: Asia/Tehran Iran`);
