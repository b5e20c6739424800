//! English word lists for the open places of patterns.

use crate::extract::rules::value::WordLists;

pub(in crate::extract::rules) const WORDS: WordLists = WordLists {
    vague: concat!(
        r"(?i)^(?:it|this|that|these|those|them|him|her|you|your|yours|the way|how|what|when|where|which|why|whether|to (?:say|think|know|ask|talk|chat|hear|see|be able|share|tell|discuss|try)|one|so|here|there|everything|anything|something|nothing|both|all of|some of|any of|chatting|talking (?:to|with) you|hearing|the (?:idea|suggestions?|advice|fact|feeling|feeling of|same)|my (?:time|life|day)|myself|being|having|if)\b",
        r"|\b(?:your|you)\b|^(?:of|to|the|a|an|and|is|are|not)$|\b(?:advice|suggestions?|recommendations?)$",
    ),
    no_name: r"(?i)^(?:a|an|the|not|so|very|too|going|trying|looking|working|here|sorry|sure|fine|ok|okay|good|great|happy|glad|tired|back|done|ready|in|on|at|from|just|back|when|if|crazy|later|tomorrow|today|maybe|whatever|anything|about|for|to|with|old|what|that|it|this)\b|\b(?:is|are|was|and i)\b|[,.;:]$",
    full_name: r"^[A-Z][a-z]+(?:[-'][A-Z][a-z]+)?(?: [A-Z][a-z'-]+){0,2}$",
    occupation: concat!(
        r"(?i)\b(?:\w*(?:engineer|developer|designer|manager|programmer|teacher|lawyer|driver|writer|trainer|coach|baker|farmer|plumber|carpenter|officer|researcher|lecturer|photographer|producer|painter|dancer|singer|player|leader|founder|owner|reporter|banker|broker|trader|marketer|recruiter|buyer|planner|controller|firefighter|consultant|accountant|assistant|attendant|student|scientist|analyst|therapist|dentist|pharmacist|artist|journalist|economist|psychologist|biologist|chemist|physicist|receptionist|specialist|strategist|architect|doctor|director|editor|actor|professor|author|translator|administrator|operator|contractor|instructor|tutor|nurse|chef|cook|pilot|surgeon|physician|vet|veterinarian|mechanic|electrician|technician|librarian|musician|politician|intern|freelancer|entrepreneur|executive|clerk|waiter|waitress|barista|bartender|cashier|guard|soldier|judge|paralegal|secretary|representative|rep|adviser|advisor|apprentice|undergraduate|undergrad|postdoc|sysadmin|dba|sre|pm|ceo|cto|cfo|coo|cofounder|co-founder|devops|hr|sailor|priest|pastor|midwife|housewife|stay-at-home (?:mom|dad|parent)|lead|head of [\w ]+|vp of [\w ]+|maintainer))\b",
    ),
    no_occupation: r"(?i)^(?:big|huge|little|bit|lot|fan|good|better|great|terrible|bad|slow|fast|quick|happy|proud|kind of|sort of)\b.*(?:fan|person|listener|learner)|\b(?:fan of|kind of|sort of|bit)\b",
    no_place: r"(?i)^(?:you|your|a (?:way|world|state|place where)|the (?:moment|present|past|future|next)|it|this|that|fear|constant|peace|harmony|hope|my (?:head|dreams)|bed|there|here|danger)\b|^(?:love|pain)\b",
    no_organisation: r"(?i)^(?:it|this|that|you|your|home$|night|nights|the moment|a (?:project|plan|problem|bug)|my|them|him|her|getting|improving|best|all|people|children|others|some|new)\b",
    no_attribute: r"(?i)^(?:very|so|too|really|pretty|quite|not|a bit|kind of|sort of|great|good|bad|nice|fine|ok|okay|terrible|awful|amazing|lovely|important|hard|difficult|easy|sore|tired|broken|killing|driving|getting|going|being|always|never|what|why|how|that|to|whether|if|it|more|better|worse|empty|full|ready|done|here|there|because|where|like|about|your|you)\b",
    no_property: r"(?i)\b(?:question|problem|point|guess|opinion|idea|concern|issue|answer|understanding|mistake|fault|bad|turn|feeling|feelings|mood|back|head|stomach|body|brain|heart|mind|eyes|hope|dream|wish|worry|fear|thought|thoughts|impression|reason|day|week|life|writing|stress|friend|friends|colleague|colleagues|coworkers?|neighbou?r|neighbou?rs|people|biggest \w+|main (?:concern|problem|issue)|favorite part|favourite part|experience|plan|thing|bet|take|pleasure|apologies)$",
    unsettled: r"(?i)\b(?:said|says|told|tells|asked|asks|just|today|yesterday|tonight|right now|angry|upset|mad|crying|sleeping|thinks|thought|wants me|suggested|keeps|trying|waiting|coming|going to|getting|visiting|being)\b",
    lasting: r"(?i)\b(?:always|constantly|for (?:months|weeks|years|a long time)|all the time|every (?:day|night)|chronically|lately|often|since|struggle|struggling|suffer)\b",
    around_object: r"(?i)^(?:(?:to )?(?:eat(?:ing)?|drink(?:ing)?|play(?:ing)?|watch(?:ing)?|read(?:ing)?|listen(?:ing)? to|us(?:e|ing)|hav(?:e|ing)|do(?:ing)?|go(?:ing)? to|visit(?:ing)?|wear(?:ing)?|cook(?:ing)?|writ(?:e|ing)) )|^(?:a|an|the|my|any|some|all|all kinds of|using) |(?:,? (?:because|since|so|but|and i|which|who|while|when|after|for now|right now|now|any ?more|any longer|these days|at the moment|lately|as well|too|a lot|very much|so much|at all|the most|most|more than|best|instead|in general|over|either|though|anyway)\b.*)$",
    longest_name: 40,
};
