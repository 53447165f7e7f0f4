//! Names of weekdays in the languages that write dates with them most, in small letters.

/// By language: whole names, then short ones.
const NAMES: &[&str] = &[
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun",
    "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lun mar mer jeu ven sam dim",
    "lunes martes miércoles jueves viernes sábado domingo lun mar mié jue vie sáb dom",
    "lunedì martedì mercoledì giovedì venerdì sabato domenica gio ven sab",
    "segunda terça quarta quinta sexta feira seg ter qua qui sex",
    "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo",
    "måndag tisdag onsdag torsdag fredag lördag söndag mån tis ons tor fre lör sön",
    "mandag tirsdag onsdag lørdag søndag man tir lør søn",
    "maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai",
    "poniedziałek wtorek środa czwartek piątek sobota niedziela pon wt śr czw pt sob nd",
    "pondělí úterý středa čtvrtek pátek neděle po út st čt pá ne",
    "pondelok utorok streda štvrtok piatok nedeľa",
    "понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт сб вс",
    "понеділок вівторок середа четвер пʼятниця п'ятниця субота неділя нд",
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar pzt sal çar per cum cmt paz",
    "hétfő kedd szerda csütörtök péntek szombat vasárnap",
    "luni marți miercuri joi vineri sâmbătă duminică",
    "senin selasa rabu kamis jumat jum'at sabtu minggu ahad isnin khamis",
    "dilluns dimarts dimecres dijous divendres dissabte diumenge",
];

/// Is a word in small letters the name of a weekday?
pub(crate) fn is_weekday(word: &str) -> bool {
    NAMES.iter().any(|names| names.split(' ').any(|name| name == word))
}
