fold_unit() fold0; fold_unit() fold1; fold_unit() fold2; fold_unit() fold3; fold_unit() fold4;
fold_unit() fold5; fold_unit() fold6; fold_unit() fold7; fold_unit() fold8; fold_unit() fold9;
fold_unit() fold10; fold_unit() fold11; fold_unit() fold12; fold_unit() fold13;
fold_unit() fold14; fold_unit() fold15; fold_unit() fold16; fold_unit() fold17;
fold_unit() fold18; fold_unit() fold19; fold_unit() fold20; fold_unit() fold21;
fold_unit() fold22; fold_unit() fold23; fold_unit() fold24; fold_unit() fold25;
fold_unit() fold26; fold_unit() fold27; fold_unit() fold28; fold_unit() fold29;
fold_unit() fold30; fold_unit() fold31;
